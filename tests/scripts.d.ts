// What tsc should know of the pages and workers that our scripts run in.

// The template says what an element is, not the script: what is found may be any of them.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selectors: string): any;
}
interface Document {
  getElementById(id: string): any;
}
interface EventTarget {
  [name: string]: any;
}

// Browsers turn these into text: new URL(path, location), new URLSearchParams(new FormData(form)).
interface Location {
  password: string;
  searchParams: URLSearchParams;
  username: string;
  toJSON(): string;
}
interface FormData {
  readonly size: number;
  sort(): void;
  get(name: string): any;
  getAll(name: string): any[];
  entries(): any;
  values(): any;
  [Symbol.iterator](): any;
  forEach(use: (value: any, key: string, parent: any) => void): void;
}
interface PerformanceEntry {
  readonly type: string;
}

// What other scripts of the page or the worker bring along.
declare const htmx: any;
declare const clients: Clients;
declare function openStore(name: string): Promise<any>;
declare function openStoreOf(html: string, name: string): Promise<any>;
declare function deleteStores(name: string): Promise<any>;
