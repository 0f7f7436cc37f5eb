// Declarations for tsc about the pages and workers in which our scripts run.

// Templates define the types of elements, not scripts, so a query may return any of them.
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

// Browsers convert these to text: new URL(path, location), new URLSearchParams(new FormData(form)).
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

// Globals defined by other scripts of the page or worker.
declare const htmx: any;
declare const clients: Clients;
declare function openStore(name: string): Promise<any>;
declare function openStoreOf(html: string, name: string): Promise<any>;
declare function deleteStores(name: string): Promise<any>;
