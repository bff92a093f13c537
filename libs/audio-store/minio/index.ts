export { audioStoreSettings, connectAudioStore, s3Options } from './connect.ts';
export { minioAudioStore } from './store.ts';
export { makeS3Users, policyOf, S3_USERS, type S3User, s3UserSettings, setS3User } from './users.ts';
