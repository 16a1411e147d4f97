import { failureOf, newClient, postTo } from "./client.ts";

/*
 * A process of its own, for what only the real environment of one decides: it posts to the addresses that it is
 * told, one after the other, and prints for each the status or why there is none.
 */
const client = newClient();
const outcomes: (number | string)[] = [];
for (const url of process.argv.slice(2)) {
  const posting = client.post(postTo(url));
  outcomes.push(
    await posting.then(
      ({ statusCode }) => statusCode,
      async () => (await failureOf(posting)).message,
    ),
  );
}
client.close();
process.stdout.write(JSON.stringify(outcomes));
