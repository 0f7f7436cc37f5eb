// The totals of an offer for one selection, computed as in `totals.py`: in whole minor units (BigInt), each figure
// rounded once, half up, in the same order. The server computes them again.
//   offer:  {decimals, lines: [[id, quantity, price, optional, taxable]], packages: [[id, price or null, taxable,
//            [[quantity, price, taxable]]]], discount and deposit: [kind, value] or null, tax, inclusive}
//   chosen: {package: id or null, options: a Set of ids}
globalThis.proposalTotals = (offer, chosen) => {
  const FINE = 10000n; // numbers in an offer have at most four decimals
  const coins = 10n ** BigInt(offer.decimals);
  const exact = (text) => {
    const [whole, rest = ""] = String(text).split(".");
    return BigInt(whole) * FINE + BigInt(rest.padEnd(4, "0"));
  };
  const rounded = (over, under) => (2n * over + under) / (2n * under);
  // biome-ignore lint/complexity/useMathMinMax: Math.min takes no bigint
  const least = (one, other) => (one < other ? one : other);
  const sum = (amounts) => amounts.reduce((all, one) => all + one, 0n);
  const minor = (text) => rounded(exact(text) * coins, FINE);
  const line = (quantity, price) => rounded(exact(quantity) * exact(price) * coins, FINE * FINE);
  const share = (told, of) => {
    if (!told) return 0n;
    return told[0] === "percent" ? rounded(of * exact(told[1]), 100n * FINE) : minor(told[1]);
  };
  // in exact proportion: remaining units go to the largest remainders, and in a tie to the earlier one
  const spread = (amount, over) => {
    const whole = sum(over);
    const shares = over.map((weight) => amount * weight / whole);
    const rests = over.map((weight, at) => [amount * weight % whole, at]);
    rests.sort(([a, i], [b, j]) => (a === b ? i - j : a < b ? 1 : -1));
    for (const [, at] of rests.slice(0, Number(amount - sum(shares)))) shares[at] += 1n;
    return shares;
  };

  const parts = offer.lines.filter(([id, , , optional]) => !optional || chosen.options.has(id))
    .map(([, quantity, price, , taxable]) => [line(quantity, price), taxable]);
  const taken = offer.packages.find(([id]) => id === chosen.package);
  if (taken) {
    const [, price, taxable, lines] = taken;
    if (price !== null) parts.push([minor(price), taxable]);
    else parts.push(...lines.map(([quantity, one, taxed]) => [line(quantity, one), taxable && taxed]));
  }
  const subtotal = sum(parts.map(([amount]) => amount));
  const discount = least(share(offer.discount, subtotal), subtotal);
  const all = parts.every(([, taxed]) => taxed);
  const shares = !all && discount ? spread(discount, parts.map(([amount]) => amount)) : parts.map(() => 0n);
  const taxed = sum(parts.map(([amount, is], at) => (is ? amount - shares[at] : 0n))) - (all ? discount : 0n);
  const rate = exact(offer.tax), hundred = 100n * FINE;
  // @ts-expect-error - tsc treats sums of bigint as numbers
  const tax = rounded(taxed * rate, offer.inclusive ? hundred + rate : hundred);
  // @ts-expect-error - tsc treats sums of bigint as numbers
  const total = subtotal - discount + (offer.inclusive ? 0n : tax);
  const deposit = least(share(offer.deposit, total), total);
  return { subtotal, discount, tax, total, deposit, balance: total - deposit };
};
