import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

import { ApiError, Client, Unreachable } from "../../clients/javascript/mockup.js";

const { MOCKUP_URL: address, MOCKUP_API_KEY: key, SHOT: path, LINK_SECRET: linkSecret, SITE: site } = process.env;
const settings = { device: "iphone-16-pro", canvas: { width: 320, height: 240 } };

test("bytes and uploaded blobs give the same picture", async () => {
  const client = new Client({ address, key });
  const shot = await readFile(path);
  const one = await client.render(shot, settings, { geometry: true });
  assert.equal(one.data.type, "image/png");
  assert.deepEqual([one.width, one.height, one.device], [320, 240, "iphone-16-pro"]);
  assert.equal(one.geometry.width, 320);
  const { id } = await client.upload(new Blob([shot]));
  const other = await client.render({ upload: id }, settings);
  assert.deepEqual(await other.data.arrayBuffer(), await one.data.arrayBuffer());
  assert.equal((await client.preview(settings, { upload: id })).type, "image/jpeg");
  assert.equal((await client.geometry(settings)).width, 320);
  assert.equal((await client.device("iPhone 16 Pro")).id, "iphone-16-pro");
  assert.equal((await client.devices({ q: "iphone 16 pro", width: 1206 })).length, 1);
  await client.forget(id);
});

test("errors name the invalid setting", async () => {
  const client = new Client({ address, key });
  await assert.rejects(client.render(new Uint8Array([1]), { shadow: { blr: 2 } }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.details[0].path, "settings.shadow.blr");
    return error.status === 400;
  });
  await assert.rejects(client.render("text"), TypeError);
});

test("links need no key", async () => {
  const client = new Client({ address, linkSecret });
  const link = await client.link(`${site}/über.png`, settings, { format: "webp", expires: new Date(Date.now() + 1e6) });
  const found = await fetch(link);
  assert.deepEqual([found.status, found.headers.get("content-type")], [200, "image/webp"]);
  assert.equal((await fetch(link.replace(".webp", ".png"))).status, 403);
  const jpeg = await client.link(`${site}/a.png`, { ...settings, export: { format: "jpeg" } });
  assert.equal((await fetch(jpeg)).headers.get("content-type"), "image/jpeg");
  await assert.rejects(client.link(site, settings, { project: "x" }), TypeError);
  await assert.rejects(new Client({ address }).link(site), TypeError);
});

test("calls are retried after the time in Retry-After", async () => {
  const headers = { "X-Mockup-Size": "4x3", "X-Mockup-Device": "card", "X-Duration-Ms": "3" };
  const good = new Response("", { headers });
  const limited = (after) => Response.json({ code: "RATE_LIMITED" }, { status: 429, headers: { "Retry-After": after } });
  const asked = [];
  const answering = (...given) => (url, options) => {
    asked.push(options.headers["Idempotency-Key"]);
    const next = given.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const retries = { times: 2, first: 1 };
  const shot = new Uint8Array([1]);
  const client = (...given) => new Client({ retries, fetch: answering(...given) });
  assert.equal((await client(limited("0"), new TypeError("lost"), good).render(shot)).device, "card");
  assert.equal(new Set(asked).size, 1);
  await assert.rejects(client(limited("3600")).render(shot), (error) => error.code === "RATE_LIMITED");
  await assert.rejects(client(...Array(3).fill(new TypeError("lost"))).render(shot), Unreachable);
  const ended = AbortSignal.abort(new Error("no longer wanted"));
  await assert.rejects(client(new TypeError("lost")).render(shot, {}, { signal: ended }), /no longer wanted/);
});
