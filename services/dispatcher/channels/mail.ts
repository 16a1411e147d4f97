import path from "node:path";
import { createTransport } from "nodemailer";
import type { Sql } from "../../../db/database.ts";
import { OutboundError } from "../../../lib/outbound/outbound-error.ts";
import { writeMail } from "../mail-folder.ts";
import { mailFailure, mailResponse } from "../mail-outcome.ts";
import { findWelcome, type WelcomeSettings, welcomeMail } from "../welcome.ts";
import { type AttemptOutcome, type ChannelSender, GONE } from "./channel.ts";

export interface MailOptions extends WelcomeSettings {
  readonly sql: Sql;
  /** Mail server; without it each message becomes a file. */
  readonly smtpUrl: string | undefined;
  /** Folder that holds the folder of those files. */
  readonly dataDir: string;
  /** From the look-up of the server's name to its last word. */
  readonly timeoutMs: number;
}

type Message = ReturnType<typeof welcomeMail>;
type Send = (message: Message, deliveryId: string, signal: AbortSignal) => Promise<string>;

/** Welcomes invited users by email. */
export function mailChannel({ sql, smtpUrl, dataDir, timeoutMs, ...settings }: MailOptions): ChannelSender {
  const closing = new AbortController();
  const send = smtpUrl === undefined ? toFolder(path.join(dataDir, "mail")) : toServer(smtpUrl);
  return {
    send: async (delivery, signal) => {
      const welcome = await findWelcome(sql, delivery);
      if (!welcome) return GONE;
      const message = welcomeMail(welcome, settings, delivery.id);
      const called = AbortSignal.any([signal, closing.signal]);
      return await attempt((ending) => send(message, delivery.id, ending), called, timeoutMs);
    },
    close: () => closing.abort(),
  };
}

async function attempt(
  work: (signal: AbortSignal) => Promise<string>,
  called: AbortSignal,
  timeoutMs: number,
): Promise<AttemptOutcome> {
  const startedMs = performance.now();
  const late = AbortSignal.timeout(timeoutMs);
  try {
    called.throwIfAborted();
    const response = await work(AbortSignal.any([called, late]));
    const durationMs = Math.round(performance.now() - startedMs);
    return { isSuccess: true, statusCode: null, error: null, response, durationMs };
  } catch (error) {
    if (called.aborted) throw new OutboundError("aborted", "the message was called off");
    const durationMs = Math.round(performance.now() - startedMs);
    if (late.aborted)
      return { isSuccess: false, statusCode: null, error: "timeout", response: null, durationMs };
    const outcome = mailFailure(error, durationMs);
    if (!outcome) throw error;
    return outcome;
  }
}

/** A connection each: welcomes are few. */
function toServer(url: string): Send {
  const transport = createTransport({ url });
  return async (message, _deliveryId, signal) => {
    const { response } = await transport.sendMail({ ...message, signal });
    return mailResponse(response);
  };
}

function toFolder(folder: string): Send {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return async (message, deliveryId) => {
    const { message: composed } = await composer.sendMail(message);
    if (!Buffer.isBuffer(composed)) throw new TypeError("The message was not composed as a whole.");
    const name = `${deliveryId}.eml`;
    await writeMail(folder, name, composed);
    return name;
  };
}
