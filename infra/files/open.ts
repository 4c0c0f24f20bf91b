import { join } from 'node:path'
import type { Env } from '../env.ts'
import { openDisk } from './disk.ts'
import { type ObjectPlace, openObjects } from './objects.ts'
import type { FileStore } from './store.ts'

type Settings = Pick<Env, 'DATA_DIR' | 'FILES_URL' | 'FILES_KEY_ID' | 'FILES_KEY_SECRET' | 'FILES_REGION'>

/** `s3://bucket/folder` is at AWS; `https://host/bucket/folder` anywhere. */
function placeOf({ FILES_URL, FILES_KEY_ID, FILES_KEY_SECRET, FILES_REGION }: Settings): ObjectPlace | null {
  if (!FILES_URL) return null
  const { protocol, host, origin, pathname } = new URL(FILES_URL)
  const names = pathname.split('/').filter(Boolean)
  const bucket = protocol === 's3:' ? host : (names.shift() ?? '')
  return {
    endpoint: protocol === 's3:' ? null : origin,
    bucket,
    folder: names.map((name) => `${name}/`).join(''),
    region: FILES_REGION,
    keyId: FILES_KEY_ID ?? '',
    keySecret: FILES_KEY_SECRET ?? '',
  }
}

/** The store given by the settings; no request is sent to it yet. */
export function openFiles(env: Settings): FileStore {
  const place = placeOf(env)
  return place ? openObjects(place) : openDisk(join(env.DATA_DIR, 'files'))
}
