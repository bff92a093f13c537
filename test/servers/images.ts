/** The servers that the tests run against: public images, the same as in docker-compose.yml. */
export const IMAGES = {
  mongodb: 'mongo:8',
  rabbitmq: 'rabbitmq:4-management',
  minio: 'quay.io/minio/minio:RELEASE.2025-09-07T16-13-09Z',
  toxiproxy: 'ghcr.io/shopify/toxiproxy:2.12.0',
} as const;
