/** The S3 API with two kinds of failure: there is no such object, or the store is unavailable. */
import type { Readable } from 'node:stream'
import { withinTime } from '../deadline.ts'

export type ObjectPlace = {
  /** null: AWS */
  endpoint: string | null
  bucket: string
  /** '' or with a slash at its end */
  folder: string
  region: string
  keyId: string
  keySecret: string
}

/** `at`: when it was stored, by the clock of the store; null: the store does not say. */
type Listed = { name: string; size: number; at: Date | null }

/** Timeout of a response without content; transfers may take longer. */
const ANSWER_MS = 10_000
/** Time for one part of 5 MB over a 100 kB/s link. */
const REQUEST_MS = 60_000
/** Each download occupies one connection for as long as its reader takes. */
const SOCKETS_MAX = 2_000

/** `code` is one that the API's error handler answers with "unavailable, try again". */
export class StoreAway extends Error {
  readonly code = 'CONNECTION_FILES'
}

/** The name and the text of the cause only: the error of the client carries requests with signatures. */
export function away(error: unknown): StoreAway {
  if (error instanceof StoreAway) return error
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return new StoreAway(`the object store: ${name}: ${message}`)
}

/** Without its bucket a store has lost all, or is not the one that was meant: nothing can be said of an object. */
const isMissing = (error: unknown) =>
  error instanceof Error &&
  error.name !== 'NoSuchBucket' &&
  (['NoSuchKey', 'NotFound'].includes(error.name) ||
    (error as Error & { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404)

/** Loads the client only where there is such a store: it is larger than the rest of a room. */
async function load({ endpoint, region, keyId, keySecret }: ObjectPlace) {
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const client = new s3.S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId: keyId, secretAccessKey: keySecret },
    // Stores other than AWS do not know the newer checksums; what we store is hashed by ourselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: REQUEST_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS_MAX },
      httpsAgent: { maxSockets: SOCKETS_MAX },
    },
  })
  return { s3, client, Upload }
}

export type ObjectClient = ReturnType<typeof openObjectClient>

export function openObjectClient(place: ObjectPlace) {
  const { bucket: Bucket, folder } = place
  let loaded: ReturnType<typeof load> | undefined
  /**
   * A web server, such as the console of a store, may answer 200 to each HEAD and PUT, and keeps nothing. So the first
   * question is one whose answer has a content; the later ones, every few seconds, are the cheaper HEAD.
   */
  let isStore = false
  const open = () => {
    loaded ??= load(place)
    return loaded
  }
  type Of = Awaited<ReturnType<typeof load>> & { abortSignal: AbortSignal }
  type Work<T> = (of: Of) => Promise<T>
  /** A request that is given up is ended: a late answer that nobody reads would keep its connection for minutes. */
  const run = async <T>(work: Work<T>, ms: number): Promise<T> => {
    const given = new AbortController()
    const { signal: abortSignal } = given
    try {
      return await withinTime(
        'the object store',
        ms,
        open().then((of) => work({ ...of, abortSignal })),
      )
    } catch (error) {
      given.abort()
      throw error
    }
  }
  /** @throws StoreAway */
  const ask = <T>(work: Work<T>, ms = ANSWER_MS): Promise<T> =>
    run(work, ms).catch((error: unknown) => Promise.reject(away(error)))
  /** null: there is no such object. @throws StoreAway */
  const find = <T>(work: Work<T>): Promise<T | null> =>
    run(work, ANSWER_MS).catch((error: unknown) => (isMissing(error) ? null : Promise.reject(away(error))))
  return {
    /** Whether the bucket exists and we may use it. */
    answers: () =>
      ask(async ({ s3, client, abortSignal }) => {
        if (isStore) return client.send(new s3.HeadBucketCommand({ Bucket }), { abortSignal })
        const { Name } = await client.send(new s3.ListObjectsV2Command({ Bucket, MaxKeys: 1 }), {
          abortSignal,
        })
        if (Name === undefined) throw new Error('what answers is no object store')
        isStore = true
      }, 4_000).then(
        () => true,
        () => false,
      ),
    size: async (name: string): Promise<number | null> => {
      const found = await find(({ s3, client, abortSignal }) =>
        client.send(new s3.HeadObjectCommand({ Bucket, Key: folder + name }), { abortSignal }),
      )
      return found?.ContentLength ?? null
    },
    get: async (name: string, range: string | undefined): Promise<Readable | null> => {
      const found = await find(({ s3, client, abortSignal }) =>
        client.send(new s3.GetObjectCommand({ Bucket, Key: folder + name, Range: range }), { abortSignal }),
      )
      return found ? (found.Body as Readable) : null
    },
    put: (name: string, Body: Buffer) =>
      ask(
        ({ s3, client, abortSignal }) =>
          client.send(new s3.PutObjectCommand({ Bucket, Key: folder + name, Body }), { abortSignal }),
        REQUEST_MS,
      ),
    remove: (name: string) =>
      find(({ s3, client, abortSignal }) =>
        client.send(new s3.DeleteObjectCommand({ Bucket, Key: folder + name }), { abortSignal }),
      ),
    /** Sorted by name. `wanted` filters: only matching ones are kept in memory, because a store may be large. */
    list: async (begin: string, wanted: (name: string) => boolean = () => true): Promise<Listed[]> => {
      const found: Listed[] = []
      for (let after: string | undefined; ; ) {
        const page = await ask(({ s3, client, abortSignal }) =>
          client.send(
            new s3.ListObjectsV2Command({ Bucket, Prefix: folder + begin, ContinuationToken: after }),
            { abortSignal },
          ),
        )
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const name = Key.slice(folder.length)
          if (wanted(name)) found.push({ name, size: Size, at: LastModified ?? null })
        }
        after = page.NextContinuationToken
        if (!after) return found
      }
    },
    /** Uploads in parts of 5 MB, two of them in memory at a time. An aborted upload leaves nothing behind. */
    upload: (name: string, Body: Readable) => {
      const upload = open().then(
        ({ client, Upload }) =>
          new Upload({ client, params: { Bucket, Key: folder + name, Body }, queueSize: 2 }),
      )
      const done = upload
        .then((running) => running.done())
        .then(
          () => undefined,
          (error: unknown) => Promise.reject(away(error)),
        )
      return { done, abandon: () => upload.then((running) => running.abort()) }
    },
    /** Uploads in parts that began before that time and never ended. */
    abandonOld: async (before: Date): Promise<number> => {
      const open = await ask(({ s3, client, abortSignal }) =>
        client.send(new s3.ListMultipartUploadsCommand({ Bucket, Prefix: folder }), { abortSignal }),
      )
      const old = (open.Uploads ?? []).filter(({ Initiated }) => Initiated && Initiated < before)
      for (const { Key, UploadId } of old)
        await find(({ s3, client, abortSignal }) =>
          client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal }),
        )
      return old.length
    },
    close: () => {
      void loaded?.then(
        ({ client }) => client.destroy(),
        () => undefined,
      )
    },
  }
}
