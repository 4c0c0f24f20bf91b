/** Identities of the simulated devices, determined only by seed and number, so that they are known in advance. */
import { type City, cities, type Model, mix, modelOf } from './models.ts'
import { digits, pick, share } from './random.ts'

export type Identity = {
  readonly sn: string
  readonly model: Model
  readonly city: City
  readonly firmware: string
  readonly mac: string
  readonly imei?: string
  readonly imsi?: string
  readonly iccid?: string
  readonly operator?: string
}

const networks: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['China Mobile', '46000'],
  ['China Unicom', '46001'],
  ['China Telecom', '46011'],
]

/** The data on the label and in the modem of `sn`. */
export function identify(sn: string, modelName: string, seed: number): Identity {
  const model = modelOf(modelName)
  const [operator, plmn] = pick(networks, seed, sn, 'operator')
  const octet = (at: number) => digits(3, seed, sn, 'mac', at)
  const mac = ['02', ...[1, 2, 3, 4, 5].map((at) => (Number(octet(at)) % 256).toString(16).padStart(2, '0'))]
  return {
    sn,
    model,
    city: pick(cities, seed, sn, 'city'),
    firmware: pick(model.firmware, seed, sn, 'firmware'),
    mac: mac.join(':').toUpperCase(),
    ...(model.radio && {
      imei: `86${digits(13, seed, sn, 'imei')}`,
      imsi: `${plmn}${digits(10, seed, sn, 'imsi')}`,
      iccid: `8986${digits(16, seed, sn, 'iccid')}`,
      operator,
    }),
  }
}

export type Place = { readonly sn: string; readonly model: string }

/**
 * Serial numbers and models of a fleet: `RT24000001` for seed 1; the two digits after the letters are 23 + seed, so
 * that fleets of different seeds never overlap. `only` restricts the models.
 */
export function planFleet(count: number, seed: number, only?: readonly string[]): Place[] {
  const order: readonly string[] = only?.length ? only : mix
  const series = String((((23 + seed) % 100) + 100) % 100).padStart(2, '0')
  return Array.from({ length: count }, (_, i) => {
    const model = order[i % order.length] ?? 'R200'
    return { sn: `${modelOf(model).prefix}${series}${String(i + 1).padStart(6, '0')}`, model }
  })
}

/** The exact location: within some 15 km of the centre of its city. */
export function placeIn(city: City, sn: string, seed: number): { longitude: number; latitude: number } {
  const off = (axis: string) => (share(seed, sn, axis) - 0.5) * 0.25
  return { longitude: city.longitude + off('longitude'), latitude: city.latitude + off('latitude') }
}
