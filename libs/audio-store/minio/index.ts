export { audioStoreSettings, connectAudioStore, minioAudioStore, s3Options } from './store.ts';
export { makeS3Users, policyOf, S3_USERS, type S3User, s3UserSettings, setS3User } from './users.ts';
