/** Two orders over one piece of material, one of which would go unanswered if the words were taken as one request. */
import { checkJsonTool, getJsonValueTool } from '../../../tools/data-json.ts';
import { tableStatisticsTool } from '../../../tools/data-statistics.ts';
import { opensAsk } from '../reading/courtesy.ts';
import { maskText } from '../reading/marks.ts';
import type { RequestPart } from './requests.ts';

/** The name of the tool that words come to by themselves, given the material beside them; null for none. */
export type ToolOf = (text: string, material: string | null) => string | null;

/** Tools that tell something about the material and leave it as it is: what they tell stands beside any other result. */
const TELLING_TOOLS: ReadonlySet<string> = new Set([
  tableStatisticsTool.name,
  checkJsonTool.name,
  getJsonValueTool.name,
]);

const JOIN = /,?\s(?:and|then|plus|as well as)\s(?:(?:then|also)\s)?|,\s(?:also\s)?/gi;
const HEAD = /^([^:\n]{1,120}):\s+(?=\S)/;
/** "Sort by amount and total price": another column rather than an order. */
const BARE_COLUMN = /^(?:total|average)(?:\s\S+)?$/i;
/** Openings of a second order that open nothing elsewhere: "and tell me if it is valid", "and get a.b". */
const OPENS_HERE = /^(?:(?:tell me|let me know|see|say|find out) (?:if|whether)|get)\s/i;
const MAX_ORDERS_CHARACTERS = 300;
const MAX_SEPARATORS = 8;

/**
 * "Make a table from this csv and sum the amount column: …" as two requests over the same material. Orders that change
 * the material one after the other stay one request, and so do several figures: one call tells them all.
 */
export function cutAlongside(part: RequestPart, toolOf: ToolOf): RequestPart[] {
  const { text, material, number } = apart(part);
  if (material === null) return [part];
  const orders = cutOrders(text, material, toolOf);
  if (orders.length < 2) return [part];
  return orders.map((order, index) => ({ text: order, material, number: index === 0 ? number : null }));
}

/** The orders of a part on one side, what they are about on the other; quotation marks inside JSON quote nothing. */
function apart({ text, material, number }: RequestPart): RequestPart {
  if (material !== null && !text.includes(material)) return { text, material, number };
  const [head, orders = ''] = HEAD.exec(maskText(text.slice(0, MAX_ORDERS_CHARACTERS))) ?? [];
  if (head !== undefined)
    return { text: text.slice(0, orders.length), material: text.slice(head.length), number };
  const start = text.slice(0, MAX_ORDERS_CHARACTERS).indexOf('{');
  const end = text.lastIndexOf('}') + 1;
  if (start < 0 || end <= start) return { text, material: null, number };
  return {
    text: `${text.slice(0, start)}this${text.slice(end)}`,
    material: text.slice(start, end),
    number,
  };
}

function cutOrders(text: string, material: string | null, toolOf: ToolOf): string[] {
  if (text.length > MAX_ORDERS_CHARACTERS) return [text];
  const separators = [...maskText(text).matchAll(JOIN)].slice(0, MAX_SEPARATORS);
  for (const { index, 0: separator } of separators) {
    const left = text.slice(0, index).trim();
    const right = text.slice(index + separator.length).trim();
    if (left === '' || BARE_COLUMN.test(right) || !(opensAsk(right) || OPENS_HERE.test(right))) continue;
    const whole = toolOf(text, material);
    if (whole === null) return [text];
    const [one, other] = [toolOf(left, material), toolOf(right, material)];
    if (one === null || other === null || one === other || (whole !== one && whole !== other)) continue;
    if (!TELLING_TOOLS.has(one) && !TELLING_TOOLS.has(other)) continue;
    return [...cutOrders(left, material, toolOf), ...cutOrders(right, material, toolOf)];
  }
  return [text];
}
