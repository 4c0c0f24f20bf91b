/** A kind of task: what is sent to each device, its steps, and what proves that it is done. */
import { ofKind } from './kind.ts'
import type { Permission } from './permission.ts'

/** [§4] In order. `connected`: the device has reached the file server. */
export const taskSteps = [
  'created',
  'sent',
  'connected',
  'downloading',
  'downloaded',
  'upgrading',
  'done',
] as const
export type TaskStep = (typeof taskSteps)[number]
export const stepRank = (step: TaskStep) => taskSteps.indexOf(step)

/** Steps in which the platform waits for the device. */
export type WaitedStep = Exclude<TaskStep, 'created' | 'done'>

/** [§4 Task failures] */
export const taskFailures = [
  'wrongCredentials',
  'fileNotFound',
  'connectTimeout',
  'domainError',
  'downloadTimeout',
  'md5Failed',
  'upgradeFailed',
  'unknownError',
  'remoteConnectFailed',
  'deviceOffline',
  'packageVerifyFailed',
] as const
export type TaskFailure = (typeof taskFailures)[number]

/**
 * What is sent to the device. `offer`: a file that it downloads. `command`: a declared command; null: the one that
 * the task names, which must declare `bulk`. Arguments are the task's, or with `argsOf: 'device'` each device's own
 * (a document).
 */
export type Sends =
  | { readonly by: 'offer'; readonly fileType: string }
  | { readonly by: 'command'; readonly command: string | null; readonly argsOf: 'task' | 'device' }

/**
 * `version`: a hello from another boot has the target version. `reply`: the command's reply `done`. `newBoot`: a
 * hello from another boot. `configHash`: a hello has the target hash. `item`: a hello names the item as the one whose
 * file was restored last.
 */
export type Proof = 'version' | 'reply' | 'newBoot' | 'configHash' | 'item'

export type TaskKind = {
  readonly kind: 'taskKind'
  /** Stored in `tasks.kind`; texts under `task:kind.<name>`. */
  readonly name: string
  /**
   * Permissions to create one, and to pause, resume, retry or cancel it. null: that of the command which it sends.
   */
  readonly permission: {
    readonly create: Permission | null
    readonly control: Permission | null
    /** Suffices to look at tasks of this kind, besides that for the list of all tasks. */
    readonly see?: Permission
  }
  readonly sends: Sends
  /** The feature that a device's hello must list; a device that lists none has those of its protocol version. */
  readonly needs?: string
  /** The subset of the seven documented steps that it uses, in order. */
  readonly steps: readonly TaskStep[]
  /**
   * Seconds that a step may last without progress: a number, the key of a declared parameter, or `command`: as
   * declared by the command. Scaled by TASK_DEADLINE_SCALE.
   */
  readonly deadlineS: Readonly<Partial<Record<WaitedStep, number | string>>>
  /** The failure when an online device is silent; for an offline one it is `deviceOffline`, except in `upgrading`. */
  readonly silence: Readonly<Partial<Record<WaitedStep, TaskFailure>>>
  /** From this step on an item can be neither cancelled nor called back. */
  readonly lockedFrom: TaskStep
  readonly done: Proof
  /** How often the same item may be sent, if the device reports that it never received it. */
  readonly sendsMax: number
  /** Devices that are offline when it is created: `wait` for them, or leave them out. */
  readonly offline: 'wait' | 'leaveOut'
  /**
   * A second person must approve every task of this kind, and its creator must type how many devices it has: for
   * what cannot be undone. [decisions/094]
   */
  readonly secondPerson: boolean
  /** A Tabler icon's name without the prefix, in kebab-case. */
  readonly icon: string
  /** Additional columns of its list of devices. */
  readonly columns: readonly ('versions' | 'result')[]
}

/** Declares one task kind. @throws if steps, deadlines and silences are inconsistent */
export function taskKind(
  d: Omit<TaskKind, 'kind' | 'secondPerson'> & { readonly secondPerson?: boolean },
): TaskKind {
  const waited = d.steps.filter((step): step is WaitedStep => step !== 'created' && step !== 'done')
  const lacking = waited.filter((step) => d.deadlineS[step] === undefined || d.silence[step] === undefined)
  if (lacking.length > 0)
    throw new Error(`task kind ${d.name}: no deadline or silence for ${lacking.join(', ')}`)
  if (d.steps[0] !== 'created' || d.steps.at(-1) !== 'done' || !d.steps.includes(d.lockedFrom))
    throw new Error(`task kind ${d.name}: steps begin with created, end with done and hold ${d.lockedFrom}`)
  return { kind: 'taskKind', secondPerson: false, ...d }
}

export const isTaskKind = ofKind<TaskKind>('taskKind')
