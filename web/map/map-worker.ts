/** The expensive part of the map, off the main thread: clusters, tiles of the base layer, and the heat layer. */
import { baseTile, loadBase, nameTile } from './map-base.ts'
import { load, marks, members, opensAt, within } from './map-clusters.ts'
import { heatTile, loadHeat } from './map-heat.ts'

const methods = { load, marks, opensAt, members, within, loadBase, baseTile, nameTile, loadHeat, heatTile }
export type Methods = typeof methods
export type Asked = { turn: number; method: keyof Methods; args: unknown[] }
export type Answered = { turn: number; result?: unknown; error?: string }

self.onmessage = async ({ data: { turn, method, args } }: MessageEvent<Asked>) => {
  const answer = (message: Answered) => self.postMessage(message)
  try {
    answer({ turn, result: await (methods[method] as (...given: unknown[]) => unknown)(...args) })
  } catch (error) {
    answer({ turn, error: String(error) })
  }
}
