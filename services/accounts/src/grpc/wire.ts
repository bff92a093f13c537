import { WorkError } from '@call-analytics/service-kit';
import { ChannelCredentials, Client, type ServiceError } from '@grpc/grpc-js';
import { accountsUnavailable } from '../refusals.ts';
import { addressOf } from './address.ts';
import { MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES } from './protocol.ts';
import { errorOf } from './refusals.ts';
import { metadataWith } from './secret.ts';
import type { TlsFiles } from './tls.ts';

/** As two versions of @grpc/proto-loader, ours and that of grpc-health-check, describe a method. */
interface UnaryMethod {
  path: string;
  requestSerialize(request: object): Buffer;
  responseDeserialize(bytes: Buffer): object;
}

/** Longer than the store behind the service takes in any state but a bad one, and short enough for a client of the API to wait for. */
const DEADLINE_MS = 2_000;

const CHANNEL = {
  'grpc.max_send_message_length': MAX_REQUEST_BYTES,
  'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
  // A machine that vanished closes nothing: without these its connection would be asked until the system gives up, minutes later.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.keepalive_permit_without_calls': 1,
  // By default it waits up to two minutes before it tries again, and 30 s before it asks for the address again, which is another one after a restart.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Every replica that the name stands for is used.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.service_config_disable_resolution': 1,
  // The service is next door: never through a proxy that the environment names for the world outside.
  'grpc.enable_http_proxy': 0,
} as const;

export interface RemoteAccountsOptions {
  /** `host:port`, `grpc://host:port`, or `grpcs://host:port` for TLS with the authorities that this machine trusts. */
  url: string;
  secret?: string | undefined;
  /** With any of these the connection is TLS. */
  tls?: TlsFiles | null;
  /** How long a call may take, in ms. */
  deadlineMs?: number;
}

/** The connection to the accounts service, for the clients of its services: connections to one address are shared. */
export class Wire {
  readonly #client: Client;
  readonly #secret: string | undefined;
  readonly #deadlineMs: number;
  #closed = false;

  /** @throws SettingsError when `url` is no address */
  constructor({ url, secret, tls = null, deadlineMs = DEADLINE_MS }: RemoteAccountsOptions) {
    const { target, isTls } = addressOf(url);
    this.#client = new Client(
      target,
      isTls || tls !== null ? tlsCredentials(tls) : ChannelCredentials.createInsecure(),
      CHANNEL,
    );
    this.#secret = secret;
    this.#deadlineMs = deadlineMs;
  }

  /** @param read throws when the answer says nothing of what was asked */
  async call<T>(method: UnaryMethod | undefined, request: object, read: (response: object) => T): Promise<T> {
    const response = await this.ask(method, request);
    try {
      return read(response);
    } catch (cause) {
      // Another version of the service, or something else altogether: it says nothing of what was asked.
      throw accountsUnavailable(cause);
    }
  }

  ask(method: UnaryMethod | undefined, request: object): Promise<object> {
    return new Promise((resolve, reject) => {
      if (this.#closed || method === undefined) throw accountsUnavailable(new Error('closed'));
      const options = { deadline: Date.now() + this.#deadlineMs };
      const { path, requestSerialize, responseDeserialize } = method;
      if (requestSerialize(request).length > MAX_REQUEST_BYTES) throw tooLarge();
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadataWith(this.#secret),
        options,
        done,
      );
      function done(error: ServiceError | null, response?: object): void {
        if (error !== null) reject(errorOf(error));
        else if (response !== undefined) resolve(response);
      }
    });
  }

  close(): void {
    this.#closed = true;
    this.#client.close();
  }
}

/** Refused here: the service would refuse it in a way that looks as if it could not be reached. */
function tooLarge(): WorkError {
  return new WorkError({ kind: 'rejected', code: 'request_too_large', message: 'That is too much text.' });
}

function tlsCredentials(tls: TlsFiles | null): ChannelCredentials {
  return ChannelCredentials.createSsl(tls?.ca, tls?.identity?.key, tls?.identity?.cert);
}
