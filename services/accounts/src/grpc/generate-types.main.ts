import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACCOUNTS_PROTO, PACKAGE } from './protocol.ts';

// `npm run proto`: writes the types of the messages, by which client and server are checked.

const GENERATED = fileURLToPath(new URL('generated/accounts.ts', import.meta.url));
const GENERATOR = createRequire(import.meta.url).resolve('@grpc/proto-loader/build/bin/proto-loader-gen-types.js');
const AS_LOADED = ['--longs=Number', '--enums=String', '--defaults', '--oneofs'];
const NAMES = ['--inputTemplate=%sInput', '--outputTemplate=%s', '--grpcLib=@grpc/grpc-js'];

/**
 * The types of accounts.proto, as proto-loader's generator makes them, in one file instead of one per message. Of each
 * message only the type with all fields is kept; of each service, the messages of its methods.
 */
function generatedTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'proto-'));
  try {
    const [includes, proto] = [dirname(ACCOUNTS_PROTO), basename(ACCOUNTS_PROTO)];
    const options = [...AS_LOADED, ...NAMES, `--outDir=${folder}`, `--includeDirs=${includes}`];
    execFileSync(process.execPath, [GENERATOR, ...options, '--', proto]);
    const files = ['google/protobuf/Timestamp.ts', ...filesIn(folder, PACKAGE.replaceAll('.', '/'))];
    const types = files.map((file) => typesIn(readFileSync(join(folder, file), 'utf8')));
    return types.join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder))
    .sort()
    .map((name) => `${folder}/${name}`);
}

const METHOD = /^ {2}(\w+): MethodDefinition<\w+, \w+, (\w+), (\w+)>$/gm;

/** @param text a generated file */
function typesIn(text: string): string {
  const local = text.replaceAll(/_(call_analytics_accounts_v1|google_protobuf)_/g, '');
  const service = /export interface (\w+)Definition extends grpc\.ServiceDefinition \{\n([\s\S]*?)\n\}/.exec(local);
  if (service !== null) {
    const methods = service[2]?.replaceAll(METHOD, '  $1: { request: $2; response: $3 };');
    return `export interface ${service[1]}Methods {\n${methods}\n}\n`;
  }
  return local
    .replaceAll(/^(\/\/ Original|import ).*\n/gm, '')
    .replaceAll(/^export interface \w+Input \{[\s\S]*?^\}\n/gm, '')
    .replaceAll(/^export type \w+Input =\n(?: {2}\|.*\n)+/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trimStart();
}

mkdirSync(dirname(GENERATED), { recursive: true });
writeFileSync(GENERATED, generatedTypes());
