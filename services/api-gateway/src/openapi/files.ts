import { appDescription } from '../app/description.ts';
import { type GatewaySettings, gatewaySettings } from '../settings.ts';
import { apiDescription, type Installation } from './document.ts';

const IN_DOCS = new URL('../../../../docs/', import.meta.url);

/** The descriptions as files, with the limits that a gateway has unless its settings say otherwise. The client of the pages is generated from them. */
export function descriptionFiles(): { file: URL; text: string }[] {
  return [
    {
      file: new URL('openapi.json', IN_DOCS),
      text: written(apiDescription(installationOf(gatewaySettings.parse({})))),
    },
    { file: new URL('app-openapi.json', IN_DOCS), text: written(appDescription()) },
  ];
}

/** What the description says of the installation with these settings. */
export function installationOf(settings: GatewaySettings): Installation {
  return {
    maxUploadBytes: settings.MAX_UPLOAD_BYTES,
    idleMs: settings.UPLOAD_IDLE_TIMEOUT,
    minBytesPerSecond: settings.UPLOAD_MIN_RATE,
    uploadsPerAccount: settings.UPLOADS_PER_ACCOUNT,
    publicUrl: settings.PUBLIC_URL,
  };
}

function written(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
