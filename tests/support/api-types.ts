/** Types of the API's document. */
import openapiTypescript, { astToString } from 'openapi-typescript';
import { apiDocument } from './api-document.ts';

/** The text of a `.d.ts` file. Rejects if the document breaks the rules of OpenAPI. */
export async function apiTypes(): Promise<string> {
  return astToString(
    await openapiTypescript(structuredClone(await apiDocument()) as never, { silent: true }),
  );
}
