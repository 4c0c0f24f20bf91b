import { Button, type ButtonProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Hint } from './hint.tsx'
import { t } from './i18n.ts'
import { IconButton } from './light/row-parts.tsx'
import { can, type Needed } from './session.ts'

/** Why this user cannot do this; null: they can. The permission first, then the caller's reason. */
export function disabledReason(permission: Needed | undefined, reason?: string | null): string | null {
  if (permission !== undefined && !can(permission)) return t('kit:noRight')
  return reason ?? null
}

/**
 * What a button is to its page. `primary`: the one thing that most users come for, at most once in a place; `danger`:
 * something is lost. What merely interrupts is secondary, because its confirmation says so.
 */
export type Rank = 'primary' | 'secondary' | 'danger'

/** The one order of buttons: the primary one last, at the end where the eye and the thumb arrive. */
const order: readonly Rank[] = ['danger', 'secondary', 'primary']
export const inOrder = <A,>(actions: readonly A[], rankOf: (action: A) => Rank): readonly A[] =>
  actions.toSorted((one, other) => order.indexOf(rankOf(one)) - order.indexOf(rankOf(other)))

const looks = {
  primary: { variant: 'filled' },
  secondary: { variant: 'default' },
  danger: { variant: 'default', c: 'var(--critical)' },
} as const satisfies Record<Rank, Partial<ButtonProps>>
/** A disabled button keeps the colour of disabled text. */
export const lookOf = (rank: Rank, disabled: boolean) =>
  looks[disabled && rank === 'danger' ? 'secondary' : rank]

type Props = {
  label: string
  icon?: Icon
  /** What is required. */
  permission?: Needed | undefined
  /** Why it is not possible now, e.g. "The device is offline". */
  reason?: string | null | undefined
  busy?: boolean
  onPress: () => void
}

/** What a screen reader says of a disabled control. */
export const whyProps = (why: string | null) => ({
  'data-disabled': why ? true : undefined,
  'aria-disabled': why !== null,
  'aria-description': why ?? undefined,
})

/** A button that shows why it is disabled; it stays focusable, so that keyboard users get the reason too. */
export function ActionButton({
  label,
  icon: Shape,
  permission,
  reason,
  busy,
  onPress,
  rank = 'secondary',
  size,
  fullLabel,
}: Props & {
  rank?: Rank
  size?: 'xs'
  /** For screen readers, if the label is short because of the text next to the button. Begins with the label. */
  fullLabel?: string
}) {
  const why = disabledReason(permission, reason)
  return (
    <Hint label={why} disabled={!why} everywhere>
      <Button
        {...lookOf(rank, why !== null)}
        {...(size ? { size } : {})}
        loading={busy ?? false}
        leftSection={Shape ? <Shape size={16} stroke={1.5} /> : undefined}
        {...whyProps(why)}
        aria-label={fullLabel}
        onClick={why ? undefined : onPress}
      >
        {label}
      </Button>
    </Hint>
  )
}

type SubmitProps = Pick<Props, 'label' | 'reason' | 'busy'> & { danger?: boolean }

/** The button that sends a form, and shows why it cannot be sent yet. */
export function SubmitButton({ label, reason = null, busy, danger }: SubmitProps) {
  return (
    <Hint label={reason} disabled={!reason} everywhere>
      <Button
        type={reason ? 'button' : 'submit'}
        {...(danger ? { color: 'red' } : {})}
        loading={busy ?? false}
        {...whyProps(reason)}
      >
        {label}
      </Button>
    </Hint>
  )
}

/** The same as an icon; its label is the tooltip, or the reason why it is disabled. */
export function ActionIconButton({
  label,
  icon: Shape,
  permission,
  reason,
  busy,
  onPress,
  danger,
}: Props & { icon: Icon; danger?: boolean }) {
  const why = disabledReason(permission, reason)
  return (
    <Hint label={why ?? label} everywhere={why !== null}>
      <IconButton
        {...(busy ? { busy } : {})}
        {...(danger ? { danger } : {})}
        aria-label={label}
        {...whyProps(why)}
        onClick={(event) => {
          event.stopPropagation()
          if (!why) onPress()
        }}
      >
        <Shape size={16} stroke={1.5} />
      </IconButton>
    </Hint>
  )
}
