import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { generate } from "selfsigned";

/*
 * A certificate authority of the tests' own, for every suite that needs a TLS server:
 *
 * - in this process: `const undo = await trustTestAuthority()` in beforeAll, `undo()` in afterAll. From then on
 *   every client that has Node's default trust trusts the receivers of tls-receiver.ts;
 * - in a child process: `env: { NODE_EXTRA_CA_CERTS: await testAuthorityFile() }`.
 */

/** A private key and its certificate, in PEM. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  /** Host names and IP addresses that it is for. */
  readonly names?: readonly string[];
  readonly validFrom?: Date;
  readonly validTo?: Date;
  /** Whether it vouches for itself rather than being vouched for by the test authority. */
  readonly isSelfSigned?: boolean;
}

/** What a receiver's certificate is for, unless told: names of this host, and names that only tests resolve. */
export const testNames: readonly string[] = [
  "localhost",
  "hooks.localhost",
  "receiver.test",
  "*.receiver.test",
  "127.0.0.1",
  "127.0.0.2",
  "127.0.0.3",
  "::1",
];

const HOUR_MS = 3_600_000;
let authority: Promise<KeyAndCertificate> | undefined;
let receiverCertificate: Promise<KeyAndCertificate> | undefined;
let authorityFile: string | undefined;

/** The authority of this process; made at the first call. */
export function testAuthority(): Promise<KeyAndCertificate> {
  authority ??= makeAuthority();
  return authority;
}

/** The certificate that receivers have unless told: for all {@link testNames}. Made at the first call. */
export function testCertificate(): Promise<KeyAndCertificate> {
  receiverCertificate ??= issueCertificate();
  return receiverCertificate;
}

/** Makes a certificate, valid from an hour ago for a day unless told. */
export async function issueCertificate({
  names = testNames,
  validFrom = new Date(Date.now() - HOUR_MS),
  validTo = new Date(Date.now() + 24 * HOUR_MS),
  isSelfSigned = false,
}: CertificateOptions = {}): Promise<KeyAndCertificate> {
  const signer = isSelfSigned ? undefined : await testAuthority();
  const made = await generate([{ name: "commonName", value: "Test receiver" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: validFrom,
    notAfterDate: validTo,
    ca: signer,
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: names.map(toAltName) },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/**
 * Makes this whole process trust the test authority, beside what it trusts already.
 * @returns what takes the trust back
 */
export async function trustTestAuthority(): Promise<() => void> {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, (await testAuthority()).cert]);
  return () => setDefaultCACertificates(before);
}

/** The path of a PEM file with the authority's certificate, for NODE_EXTRA_CA_CERTS; gone with this process. */
export async function testAuthorityFile(): Promise<string> {
  const { cert } = await testAuthority();
  if (authorityFile === undefined) {
    const folder = mkdtempSync(path.join(tmpdir(), "test-authority-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    authorityFile = path.join(folder, "authority.pem");
    writeFileSync(authorityFile, cert);
  }
  return authorityFile;
}

function toAltName(name: string): { type: 2; value: string } | { type: 7; ip: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}

async function makeAuthority(): Promise<KeyAndCertificate> {
  const made = await generate([{ name: "commonName", value: "Test authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() - HOUR_MS),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key: made.private, cert: made.cert };
}
