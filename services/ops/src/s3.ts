import {
  audioStoreSettings,
  makeS3Users,
  policyOf,
  S3_USERS,
  type S3User,
  s3Options,
  s3UserSettings,
} from '@call-analytics/audio-store/minio';
import { readSettings } from '@call-analytics/service-kit';
import type { Command } from './command.ts';

/** Users and policies of the services in the S3 store. */
export const S3_COMMANDS: Readonly<Record<string, Command>> = {
  's3-users': {
    args: '',
    help: 'makes the bucket and a user for each service in MinIO; S3_ACCESS_KEY is its administrator',
    async run(_, { env }) {
      const settings = readSettings(s3UserSettings, env);
      const secrets: Record<S3User, string> = {
        gateway: settings.S3_GATEWAY_SECRET_KEY,
        transcription: settings.S3_TRANSCRIPTION_SECRET_KEY,
        cleanup: settings.S3_CLEANUP_SECRET_KEY,
        ops: settings.S3_OPS_SECRET_KEY,
      };
      await makeS3Users(s3Options(settings), secrets).catch(({ cause, message }: Error) => {
        throw new Error(`The users were not made: ${cause instanceof Error ? cause.message : message}.`);
      });
      const json = { bucket: settings.S3_BUCKET, users: S3_USERS };
      return { json, text: `The bucket ${json.bucket} has the users ${S3_USERS.join(', ')}.` };
    },
  },
  's3-policies': {
    args: '',
    help: 'prints what each service may do in the bucket S3_BUCKET, as policies for S3 stores other than MinIO',
    async run(_, { env }) {
      const { S3_BUCKET } = readSettings(audioStoreSettings.pick({ S3_BUCKET: true }), env);
      const json = Object.fromEntries(S3_USERS.map((user) => [user, policyOf(user, S3_BUCKET)]));
      return { json, text: JSON.stringify(json, null, 2) };
    },
  },
};
