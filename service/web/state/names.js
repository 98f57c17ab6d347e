// Names, which the server matches regardless of case, spaces, hyphens and underscores.

/** The form of a name in which it is compared. */
export function plain(text) {
  return text.replace(/[\s_\-\u2010-\u2015\u2212]+/g, '').toLowerCase();
}
