/** Selects the devices of a command: by serial number, by group, or all. */
import { type DeviceSelection, getDeviceList } from '#schema/device/device'
import { ask } from './client.ts'
import { Exit, exitCodes, usage } from './exit.ts'
import { groupId } from './values.ts'

type Target = { dids: number[] } | { filter: NonNullable<DeviceSelection['filter']> }
export type TargetOptions = { devices?: string; group?: string; all?: true }

/** More than this are looked up in one list instead of one by one. */
const ONE_BY_ONE_MAX = 20

/** Device ids by exact serial number. @throws Exit 3 naming the missing ones */
export async function deviceIds(sns: string[]): Promise<number[]> {
  const lists =
    sns.length <= ONE_BY_ONE_MAX
      ? await Promise.all(sns.map((search) => ask(getDeviceList, { search, limit: 1000 })))
      : [await ask(getDeviceList, { limit: 100_000 })]
  const bySn = new Map(lists.flatMap(({ list }) => list.map((row) => [row.deviceSn, row.deviceId] as const)))
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
