/** A client of the mockup service for browsers and Node: screenshots in, pictures of devices out. */

/** The service refused a call: `code` says why in a word, `details` name what is wrong and where. */
export class ApiError extends Error {
  constructor(status, body, headers) {
    const said = typeof body === "object" && body !== null ? body : {};
    // A 429 response has these members beside `error`, other responses have them inside it.
    const error = typeof said.error === "object" && said.error !== null ? said.error : said;
    const code = error.code ?? `HTTP_${status}`;
    const details = error.details ?? [];
    const text = error.message ?? (typeof body === "string" && body ? body : `status ${status}`);
    // If there is only one detail, it is the whole message.
    const lines = details.map(({ path, message }) => `${path}: ${message}`).filter((line) => line !== text);
    super([`${code}: ${text}`, ...lines].join("\n"));
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = headers.get("x-request-id");
    const after = headers.get("retry-after") ?? "";
    this.retryAfter = /^\d+$/.test(after) ? Number(after) : null;
  }
}

/** There was no response, even after all retries. */
export class Unreachable extends Error {
  constructor(cause) {
    super(`the service cannot be reached: ${cause.message}`, { cause });
    this.name = "Unreachable";
  }
}

// Too many requests, an overloaded service, or a proxy that lost its server.
const AGAIN = new Set([429, 502, 503, 504]);
// Request the picture itself, which is quicker than base64 in JSON.
const MOCKUP = "mockup?output=raw";
const LINK_SECRET = /^sk_link_([\w-]{12})[\w-]{43}$/;
const RETRIES = { times: 3, first: 250, longest: 60_000 };

export class Client {
  #address;
  #headers;
  #linkSecret;
  #retries;
  #fetch;
  #timeout;

  /** `retries` are `{times, first, longest}`, the last two in milliseconds, like `timeout`. Only `link` needs
      `linkSecret`. */
  constructor({ address = "http://127.0.0.1:8000", key, linkSecret, retries = {}, timeout = 120_000, fetch } = {}) {
    this.#address = address.replace(/\/+$/, "");
    this.#headers = key ? { Authorization: `Bearer ${key}` } : {};
    this.#linkSecret = linkSecret ?? "";
    this.#retries = { ...RETRIES, ...retries };
    this.#fetch = fetch ?? globalThis.fetch.bind(globalThis);
    this.#timeout = timeout;
  }

  /**
   * Render a mockup. `screenshot` is a Blob, an ArrayBuffer, a Uint8Array, `{url}` or `{upload}`. Resolves to
   * `{data, mimeType, width, height, device, duration, warnings, geometry}`. With `canvas.slices`, `data` is
   * a ZIP file.
   */
  async render(screenshot, settings = {}, { project, fast, geometry, signal } = {}) {
    const body = { settings };
    if (project) body.projectId = project;
    if (fast) body.fast = true;
    if (geometry) body.include = ["geometry"];
    // The key makes a retry safe if the response was lost.
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    if (screenshot?.url || screenshot?.upload) {
      const type = screenshot.url ? "url" : "upload";
      const sent = { type: "screenshot", screenshot: { type, src: screenshot[type] }, ...body };
      return picture(await this.#call("POST", MOCKUP, { body: sent, headers, signal }));
    }
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) {
      form.append(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    form.append("screenshot", blob(screenshot), "screenshot");
    return picture(await this.#call("POST", MOCKUP, { form, headers, signal }));
  }

  /** Store a screenshot for an hour; resolves to `{id, width, height, expiresAt}`. */
  async upload(screenshot, { signal } = {}) {
    if (screenshot?.url) return this.#json("POST", "screenshots", { body: { url: screenshot.url }, signal });
    const headers = { "Content-Type": "application/octet-stream" };
    return this.#json("POST", "screenshots", { content: blob(screenshot), headers, signal });
  }

  /** Delete an upload. */
  async forget(upload, { signal } = {}) {
    await this.#call("DELETE", `screenshots/${encodeURIComponent(upload)}`, { signal });
  }

  /** A small picture, as a Blob. */
  async preview(settings = {}, { upload, maxPixels, signal } = {}) {
    const body = { settings };
    if (upload) body.screenshot = { type: "upload", src: upload };
    if (maxPixels) body.maxPixels = maxPixels;
    return (await this.#call("POST", "previews", { body, signal })).blob();
  }

  /** Where the device would be in a picture. */
  async geometry(settings = {}, { signal } = {}) {
    return (await this.#json("POST", "geometry", { body: { settings }, signal })).geometry;
  }

  /** List devices, narrowed down by `{q, category, brand, width, height}`. */
  async devices(narrowed = {}, { signal } = {}) {
    const query = new URLSearchParams(Object.entries(narrowed).filter(([, value]) => value != null));
    return (await this.#json("GET", `devices?${query}`, { signal })).devices;
  }

  /** Describe a device by its id or name. */
  async device(name, { signal } = {}) {
    return this.#json("GET", `devices/${encodeURIComponent(name)}`, { signal });
  }

  /**
   * The address of a picture of the screenshot at `url`, for pages and mails; it needs no key. Makes no request.
   * `format` defaults to that of the settings, or png; `expires` is a Date. Use it on a server only, because anyone who has the link secret can make links.
   */
  async link(url, settings = {}, { project, format, expires } = {}) {
    if (project && Object.keys(settings).length) throw new TypeError("give either settings or project");
    const [, id] = LINK_SECRET.exec(this.#linkSecret) ?? [];
    if (!id) throw new TypeError("link() needs linkSecret, sk_link_…; `mockup keys link PREFIX` prints one");
    const chosen = project ?? base64url(utf8(JSON.stringify(settings)));
    format ??= settings.export?.format?.toLowerCase() ?? "png";
    const end = expires ? `?expires=${Math.floor(expires.getTime() / 1000)}` : "";
    const signed = `${chosen}/${base64url(utf8(url))}.${format}${end}`;
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const secret = await crypto.subtle.importKey("raw", utf8(this.#linkSecret), algorithm, false, ["sign"]);
    const mac = await crypto.subtle.sign("HMAC", secret, utf8(signed));
    return `${this.#address}/m/${id}${base64url(new Uint8Array(mac))}/${signed}`;
  }

  async #json(method, path, options) {
    return (await this.#call(method, path, options)).json();
  }

  async #call(method, path, { body, form, content, headers = {}, signal }) {
    const sent = form ?? content ?? (body && JSON.stringify(body));
    const kind = body && !form ? { "Content-Type": "application/json" } : {};
    for (let attempt = 0; ; attempt++) {
      const late = AbortSignal.timeout(this.#timeout);
      const options = {
        method,
        body: sent,
        headers: { ...this.#headers, ...kind, ...headers },
        signal: signal ? AbortSignal.any([signal, late]) : late,
      };
      let error;
      try {
        const response = await this.#fetch(`${this.#address}/api/v1/${path}`, options);
        if (response.ok) return response;
        const json = response.headers.get("content-type")?.startsWith("application/json");
        error = new ApiError(response.status, await (json ? response.json() : response.text()), response.headers);
      } catch (failure) {
        signal?.throwIfAborted();
        error = new Unreachable(failure);
      }
      const wait = pause(this.#retries, attempt, error);
      if (wait === null) throw error;
      await slept(wait, signal);
    }
  }
}

/** Milliseconds until the next attempt; null to give up. */
function pause({ times, first, longest }, attempt, error) {
  if (attempt >= times || (error.status && !AGAIN.has(error.status))) return null;
  if (error.retryAfter != null) return error.retryAfter * 1000 <= longest ? error.retryAfter * 1000 : null;
  return Math.min(longest, first * 2 ** attempt) * (0.5 + Math.random() / 2);
}

const utf8 = (text) => new TextEncoder().encode(text);

function base64url(bytes) {
  const text = Array.from(bytes, (one) => String.fromCharCode(one)).join("");
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function slept(ms, signal) {
  return new Promise((resolve, reject) => {
    const ended = () => reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", ended);
      resolve();
    }, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), ended()), { once: true });
  });
}

function blob(screenshot) {
  if (screenshot instanceof Blob) return screenshot;
  if (screenshot instanceof ArrayBuffer || ArrayBuffer.isView(screenshot)) return new Blob([screenshot]);
  throw new TypeError("a screenshot is a Blob, an ArrayBuffer, a Uint8Array, {url} or {upload}");
}

async function picture(response) {
  const { headers } = response;
  const [width, height] = headers.get("x-mockup-size").split("x").map(Number);
  const place = headers.get("x-mockup-geometry");
  return {
    data: await response.blob(),
    mimeType: headers.get("content-type"),
    width,
    height,
    device: headers.get("x-mockup-device"),
    duration: Number(headers.get("x-duration-ms")),
    warnings: JSON.parse(headers.get("x-mockup-warning-details") ?? "[]"),
    geometry: place ? JSON.parse(place) : undefined,
  };
}
