/**
 * Pictures of stories on devices, by Storybook's test runner. In `.storybook/test-runner.js`:
 *
 *     import { getStoryContext } from "@storybook/test-runner";
 *     import { pictured } from "./mockup.mjs";
 *     export default { postVisit: pictured({ getStoryContext }) };
 *
 * A story requests a picture with a parameter: `parameters: { mockup: { device: "iphone-16-pro" } }`.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Client } from "mockup-client";

/** A hook that renders all stories that have the parameter `mockup`, which holds settings, into `folder`. */
export function pictured({ getStoryContext, folder = "mockups", client }) {
  client ??= new Client({ address: process.env.MOCKUP_URL, key: process.env.MOCKUP_API_KEY });
  return async (page, context) => {
    const { parameters } = await getStoryContext(page, context);
    if (!parameters.mockup) return null;
    const settings = parameters.mockup === true ? {} : parameters.mockup;
    const { data, mimeType } = await client.render(await page.screenshot({ animations: "disabled" }), settings);
    const path = join(folder, `${context.id}.${mimeType.split("/")[1]}`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, Buffer.from(await data.arrayBuffer()));
    return path;
  };
}
