/** The user's message from a request: text, and images as base64. Nothing is fetched. */
import type { Image } from "@callboard/run-log";
import type { ExecuteBody, inputPartSchema } from "@callboard/run-log/http";
import type { z } from "zod";
import { HttpProblem } from "../http/problem.js";

export interface UserInput {
  readonly text: string;
  readonly images: readonly Image[];
}

export function userInputOf(input: ExecuteBody["user_input"]): UserInput {
  if (typeof input === "string") return { text: input, images: [] };
  const texts: string[] = [];
  const images: Image[] = [];
  input.forEach((part, index) => {
    if (part.type === "input_image") images.push(imageOf(part, `user_input.${index}`));
    else texts.push(part.text);
  });
  return { text: texts.join("\n"), images };
}

type ImagePart = Extract<z.infer<typeof inputPartSchema>, { type: "input_image" }>;

function imageOf({ data, image_url, media_type }: ImagePart, field: string): Image {
  if (data !== undefined)
    return media_type === undefined ? { data } : { data, mediaType: media_type };
  return dataUrlImage(image_url ?? "", field);
}

/** An image out of a data: URL. */
export function dataUrlImage(url: string, field: string): Image {
  const [, mediaType, data] = /^data:([\w.+/-]+);base64,([A-Za-z0-9+/=\s]+)$/.exec(url) ?? [];
  if (mediaType !== undefined && data !== undefined) return { data, mediaType };
  const message = "Send the image itself, as base64 or as a data: URL: addresses are not fetched.";
  throw new HttpProblem(422, "invalid-request", message, { errors: [{ field, message }] });
}
