import type { Device, Export, Geometry, Settings, Upload, Warning } from "./schema";

export type * from "./schema";

/** A picture, or where the service finds it. */
export type Screenshot = Blob | ArrayBuffer | Uint8Array | { url: string } | { upload: string };

export interface Rendered {
  data: Blob;
  mimeType: string;
  width: number;
  height: number;
  /** The id of the device used. */
  device: string;
  /** Milliseconds that rendering took. */
  duration: number;
  warnings: Warning[];
  geometry?: Geometry;
}

export interface Retries {
  /** The number of further attempts after the first. */
  times?: number;
  /** Milliseconds before the second attempt; they double from there. */
  first?: number;
  /** The longest wait between two attempts, in milliseconds. */
  longest?: number;
}

export interface Options {
  address?: string;
  key?: string;
  /** The secret that `link` signs with; on servers only. */
  linkSecret?: string;
  retries?: Retries;
  /** Milliseconds that an attempt may take. */
  timeout?: number;
  fetch?: typeof fetch;
}

export interface Abortable {
  signal?: AbortSignal;
}

export class ApiError extends Error {
  status: number;
  code: string;
  details: { path: string; message: string }[];
  requestId: string | null;
  /** Seconds after which a retry makes sense. */
  retryAfter: number | null;
}

export class Unreachable extends Error {}

export class Client {
  constructor(options?: Options);
  render(
    screenshot: Screenshot,
    settings?: Settings,
    options?: { project?: string; fast?: boolean; geometry?: boolean } & Abortable,
  ): Promise<Rendered>;
  upload(screenshot: Blob | ArrayBuffer | Uint8Array | { url: string }, options?: Abortable): Promise<Upload>;
  forget(upload: string, options?: Abortable): Promise<void>;
  preview(settings?: Settings, options?: { upload?: string; maxPixels?: number } & Abortable): Promise<Blob>;
  geometry(settings?: Settings, options?: Abortable): Promise<Geometry>;
  devices(
    narrowed?: { q?: string; category?: string; brand?: string; width?: number; height?: number },
    options?: Abortable,
  ): Promise<Device[]>;
  device(name: string, options?: Abortable): Promise<Device>;
  link(
    url: string,
    settings?: Settings,
    options?: { project?: string; format?: NonNullable<Export["format"]>; expires?: Date },
  ): Promise<string>;
}
