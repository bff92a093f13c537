import { appDescription } from '../app/description.ts';
import { gatewaySettings } from '../settings.ts';
import { apiDescription } from './document.ts';

const IN_DOCS = new URL('../../../../docs/', import.meta.url);

/** The descriptions as files, with the limits that a gateway has unless its settings say otherwise. The client of the pages is generated from them. */
export function descriptionFiles(): { file: URL; text: string }[] {
  const { MAX_UPLOAD_BYTES: maxUploadBytes, UPLOAD_IDLE_TIMEOUT: idleMs } = gatewaySettings.parse({});
  return [
    { file: new URL('openapi.json', IN_DOCS), text: written(apiDescription({ maxUploadBytes, idleMs })) },
    { file: new URL('app-openapi.json', IN_DOCS), text: written(appDescription()) },
  ];
}

function written(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
