import type { SendMailOptions } from "nodemailer";
import type { Sql } from "../../db/database.ts";
import type { OutgoingDelivery } from "./channels/channel.ts";
import { payloadData, shortName } from "./messages.ts";

/** Whom a welcome goes to, and what it says. */
export interface Welcome {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly workspace: string;
  /** Who invited them, as long as they are there. */
  readonly host: Person | undefined;
}

interface Person {
  readonly email: string;
  readonly name: string;
}

/** Reads what a welcome needs, as it is now; undefined where its receiver was removed, or may not act. */
export async function findWelcome(
  sql: Sql,
  { targetId, workspaceId, payload }: OutgoingDelivery,
): Promise<Welcome | undefined> {
  const [guest] = await sql.query<Omit<Welcome, "host">>(
    `SELECT u.email AS email, u.name AS name, u.role AS role, w.name AS workspace
      FROM users u JOIN workspaces w ON w.id = u.workspace_id
      WHERE u.id = ? AND u.workspace_id = ? AND u.status = ?`,
    [targetId, workspaceId, "active"],
  );
  if (!guest) return undefined;
  const [host] = await sql.query<Person>(
    "SELECT email, name FROM users WHERE id = ? AND workspace_id = ? AND status = ?",
    [String(payloadData(payload).invited_by), workspaceId, "active"],
  );
  return { ...guest, host };
}

export interface WelcomeSettings {
  /** Sender of the service's mail, as a header has it. */
  readonly from: string;
  /** Where clients reach the service. */
  readonly publicUrl: string | undefined;
}

/** The message. The same delivery's has the same id each time, so that mailboxes can tell a repeat. */
export function welcomeMail(
  { email, name, role, workspace, host }: Welcome,
  { from, publicUrl }: WelcomeSettings,
  deliveryId: string,
): SendMailOptions {
  const where = shortName(workspace);
  const help = host ? `${shortName(host.name)} (${host.email})` : "an admin of the workspace";
  const lines = [
    `Hello ${shortName(name)},`,
    "",
    `you have been invited to the workspace “${where}” as ${role}.`,
    ...(publicUrl === undefined ? [] : [`You find it at ${publicUrl}.`]),
    "",
    `If you have questions, or need a key, ask ${help}.`,
    "",
  ];
  return {
    from,
    to: { name: shortName(name), address: email },
    subject: `Welcome to ${where}`,
    messageId: `<${deliveryId}@${domainOf(from)}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    text: lines.join("\n"),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";
}
