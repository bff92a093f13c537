import { Client } from 'minio';
import { wasStale } from './transport.ts';

/** minio's client, with what it lacks. */
export class S3 extends Client {
  async partsOf(bucket: string, name: string, uploadId: string): Promise<{ size: number; lastModified?: Date }[]> {
    return this.listParts(bucket, name, uploadId);
  }

  /**
   * Every request comes by here. One that found its connection closed goes out once more, when it may be done twice.
   * https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
   */
  override async makeRequestStreamAsync(
    ...request: Parameters<Client['makeRequestStreamAsync']>
  ): ReturnType<Client['makeRequestStreamAsync']> {
    try {
      return await super.makeRequestStreamAsync(...request);
    } catch (error) {
      const [{ method, headers = {} }] = request;
      if (!wasStale(error) || method === 'POST' || 'if-none-match' in headers) throw error;
      return super.makeRequestStreamAsync(...request);
    }
  }
}
