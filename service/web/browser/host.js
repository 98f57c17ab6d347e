// Where the page came from.

/** Whether a host name is this machine's own. */
export function isLocal(name) {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(name);
}

/** The host of the page that linked here; empty for a page of this host, and if the browser does not say. */
export function linkedFrom(referrer, host) {
  const from = URL.canParse(referrer) ? new URL(referrer).host : '';
  return from === host ? '' : from;
}
