/** Converts the rollout of a request to columns of the task, its waves, and the wave of each device. */
import type { z } from 'zod'
import { taskWaves } from '#schema/tables/task'
import { type rolloutFields, WAVE_SUCCESS_PERCENT } from '#schema/task/task-rollout'
import { assignWaves, type Wave } from '#schema/task/task-wave'
import type { Transaction } from '../device/end-device-work.ts'
import type { CallContext } from '../kit/handler.ts'
import { groupTree, reachGroup } from '../kit/visible-ids.ts'
import type { Target } from './file-target.ts'
import { joinColumns } from './join-plan.ts'

type Asked = z.output<z.ZodObject<typeof rolloutFields>> & Target
type Device = { id: number; groupId: number }
export type RolloutPlan = ReturnType<Awaited<ReturnType<typeof rolloutPlanner>>>

/**
 * Called before the transaction, because it reads groups; the result makes the plan for the devices that are found in
 * it. @throws Refusal for a group that the actor may not see
 */
export async function rolloutPlanner(ctx: CallContext, asked: Asked, counted = false) {
  const joining = joinColumns(ctx, asked, counted)
  const rules = asked.waves ?? []
  const groups = new Map<number, { name: string; ids: number[] }>()
  for (const { by, value } of rules)
    if (by === 'group' && !groups.has(value)) {
      const { name } = await reachGroup(ctx, value)
      groups.set(value, { name, ids: await groupTree(ctx, value) })
    }
  return (devices: readonly Device[]) => {
    const plan = planOf(asked, groups, devices)
    return { ...plan, columns: { ...plan.columns, ...joining } }
  }
}

function planOf(
  asked: Asked,
  groups: ReadonlyMap<number, { name: string; ids: number[] }>,
  devices: readonly Device[],
) {
  const rules = asked.waves ?? []
  const waves = assignWaves(rules, devices, ({ value }) => groups.get(value)?.ids ?? [])
  const named = ({ by, value }: Wave) => (by === 'group' ? (groups.get(value ?? 0)?.name ?? null) : null)
  return {
    columns: {
      lastWave: Math.max(0, waves.length - 1),
      waveSuccessPercent: asked.waveSuccessPercent ?? WAVE_SUCCESS_PERCENT,
      soakMinutes: asked.soakMinutes ?? null,
      window: asked.window ?? null,
      unmetered: asked.unmetered ?? false,
      retries: asked.retries?.length ? asked.retries : null,
    },
    waves:
      rules.length === 0
        ? []
        : waves.map((wave) => ({ by: wave.by, value: wave.value, groupName: named(wave) })),
    ofDevices: waves.flatMap(({ deviceIds }, wave) =>
      wave === 0 ? [] : deviceIds.map((deviceId) => ({ deviceId, wave })),
    ),
  }
}

export async function addWaves(tx: Transaction, taskId: number, { waves }: RolloutPlan): Promise<void> {
  if (waves.length > 0)
    await tx.insert(taskWaves).values(waves.map((wave, nth) => ({ ...wave, taskId, nth })))
}
