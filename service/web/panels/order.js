// The order of devices in a list: those most looked for come first.

/** The names of categories of devices, in the order of the list. */
export const CATEGORIES = {
  phone: 'Phones', tablet: 'Tablets', foldable: 'Foldables', watch: 'Watches', laptop: 'Laptops', desktop: 'Desktops',
  tv: 'TVs', console: 'Consoles', browser: 'Browsers', window: 'Windows', card: 'Cards',
};

const BRANDS = ['Apple', 'Samsung', 'Google']; // the brands that most screenshots come from

/** Devices with the newest first, and those without a year, such as windows, as they come, at the end. */
export function inOrder(devices) {
  return devices
    .map((device, at) => ({ device, at }))
    .sort((a, b) => byYear(a.device, b.device) || byBrand(a.device, b.device) || byName(a.device, b.device) || a.at - b.at)
    .map(({ device }) => device);
}

const byYear = (a, b) => (b.year ?? 0) - (a.year ?? 0);
const rank = ({ brand }) => (BRANDS.indexOf(brand) + 1 || BRANDS.length + 1);
const byBrand = (a, b) => rank(a) - rank(b);

// Higher model numbers first; within a number, shorter names first, so `Pro` precedes `Pro Max`. Devices without a year keep
// their order.
function byName(a, b) {
  if (!a.year || !b.year) return 0;
  const number = ({ name }) => Number(/\d+/.exec(name)?.[0] ?? 0);
  return number(b) - number(a) || a.name.length - b.name.length || a.name.localeCompare(b.name);
}
