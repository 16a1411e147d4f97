import type { RecordRow } from "../../../../services/records/record.entity.ts";

/** A record's members as JSON text, in the order in which the interface documents them. */
function membersText(row: RecordRow): string {
  const members = [
    ["id", row.id],
    ["name", row.name],
    ["type", row.type],
    ["status", row.status],
  ].map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  const times = [["created_at", row.created_at] as const, ["updated_at", row.updated_at] as const].map(
    ([name, ms]) => `"${name}":"${new Date(ms).toISOString()}"`,
  );
  return [...members, `"fields":${row.fields}`, `"tags":${row.tags}`, ...times].join(",");
}

export function itemText(row: RecordRow): string {
  return `{"success":true,"data":{${membersText(row)}}}`;
}

export function listText(rows: readonly RecordRow[], meta: Readonly<Record<string, unknown>>): string {
  const data = rows.map((row) => `{${membersText(row)}}`).join(",");
  return `{"success":true,"data":[${data}],"meta":${JSON.stringify(meta)}}`;
}

export function bulkCreateText(rows: readonly RecordRow[]): string {
  return listText(rows, { created: rows.length });
}

export function bulkDeleteText(meta: Readonly<Record<string, unknown>> | undefined): string {
  return JSON.stringify({ success: true, meta });
}

/** An event's payload: the whole resource and the acting user. The time at which it happened is left out. */
export function eventText(
  event: string,
  workspaceId: string,
  row: RecordRow,
  actorMember: string,
  userId: string,
): string {
  const data = `{${membersText(row)},"${actorMember}":"${userId}"}`;
  return `{"event":"${event}","timestamp":"…","workspace_id":"${workspaceId}","data":${data}}`;
}
