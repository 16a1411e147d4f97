import { joinWords } from "../../db/listing/stored-words.ts";

/** What of a record is searched. */
export function searchedTexts(name: string, fields: Readonly<Record<string, string>>): string[] {
  return [name, ...Object.values(fields)];
}

/** The index words of a record as its row keeps them. */
export function findableWords(name: string, fields: Readonly<Record<string, string>>): string {
  return joinWords(searchedTexts(name, fields));
}
