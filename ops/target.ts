/** Selects the devices of a command: by serial number, by group, or all. */
import { type DeviceSelection, getDeviceList } from '#schema/device/device'
import { LIST_LIMIT_MAX } from '#schema/kit/list'
import { ask } from './client.ts'
import { Exit, exitCodes, usage } from './exit.ts'
import { groupId } from './values.ts'

type Target = { dids: number[] } | { filter: NonNullable<DeviceSelection['filter']> }
export type TargetOptions = { devices?: string; group?: string; all?: true }

/** More than this are looked up in one list instead of one by one. */
const ONE_BY_ONE_MAX = 20
/** The nearest come first: more than one page only where many have the number in theirs or in their names. */
const PAGE = 1_000

type Asked = { search?: string; nearest?: true; limit: number }

/** Of the list that is asked for, page by page, until these are found. */
async function idsOf(sns: readonly string[], asked: Asked): Promise<[string, number][]> {
  const found = new Map<string, number>()
  for (let offset = 1; ; offset++) {
    const { list, total } = await ask(getDeviceList, { ...asked, offset })
    for (const { deviceSn, deviceId } of list) found.set(deviceSn, deviceId)
    if (sns.every((sn) => found.has(sn)) || offset * asked.limit >= total) return [...found]
  }
}

/** Device ids by exact serial number. @throws Exit 3 naming the missing ones */
export async function deviceIds(sns: string[]): Promise<number[]> {
  const found =
    sns.length <= ONE_BY_ONE_MAX
      ? await Promise.all(sns.map((search) => idsOf([search], { search, nearest: true, limit: PAGE })))
      : [await idsOf(sns, { limit: LIST_LIMIT_MAX })]
  const bySn = new Map(found.flat())
  const missing = sns.filter((sn) => !bySn.has(sn))
  if (missing.length > 0) throw new Exit(exitCodes.refused, `no such device: ${missing.join(', ')}`)
  return sns.map((sn) => bySn.get(sn) ?? 0)
}

/** @throws Exit 3 if there is no such device */
export async function oneDevice(sn: string): Promise<number> {
  const [id] = await deviceIds([sn])
  return id ?? 0
}

/** The devices of a command. @throws Exit 2 unless exactly one option selects them */
export async function target({ devices, group, all }: TargetOptions): Promise<Target> {
  const ways = [devices, group, all].filter((way) => way !== undefined).length
  if (ways !== 1) return usage('name the devices by exactly one of --devices, --group and --all')
  if (group !== undefined) return { filter: { groupId: await groupId(group) } }
  if (devices === undefined) return { filter: {} }
  const sns = [...new Set(devices.split(',').map((sn) => sn.trim()))].filter(Boolean)
  return { dids: await deviceIds(sns) }
}
