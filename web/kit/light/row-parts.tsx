/**
 * Mantine's buttons and checkbox for the rows of lists, without what only other places need (sizes, colours, styles of
 * callers): a page draws dozens of each, and the library takes five components for one. They look the same, because they
 * have the library's own classes.
 */
import { ActionIcon, Checkbox, CheckIcon, Loader, UnstyledButton } from '@mantine/core'
import type { ComponentProps } from 'react'
import classes from '../kit.module.css'

const { root: buttonRoot } = UnstyledButton.classes
const { root: iconRoot, loader, icon } = ActionIcon.classes
const { inner, input: boxInput, icon: boxIcon } = Checkbox.classes

/** A button without any look of its own. */
export const bareButton = `mantine-focus-auto mantine-UnstyledButton-root ${buttonRoot}`

const iconButton = [
  bareButton,
  'mantine-active mantine-ActionIcon-root',
  iconRoot,
  classes['iconButton'],
].join(' ')

type IconButtonProps = ComponentProps<'button'> & { busy?: boolean; danger?: boolean }

/** An icon of 28 px without a border; the one for rows. */
export function IconButton({ busy = false, danger = false, children, ...button }: IconButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className={iconButton}
      data-danger={danger || undefined}
      data-loading={busy || undefined}
      aria-busy={busy || undefined}
      disabled={busy}
    >
      {busy ? (
        <span className={loader} aria-hidden>
          <Loader color="var(--ai-color)" size="calc(var(--ai-size) * 0.55)" />
        </span>
      ) : null}
      <span className={icon} data-loading={busy || undefined}>
        {children}
      </span>
    </button>
  )
}

const box = `mantine-focus-auto mantine-Checkbox-input ${boxInput}`

/** A checkbox of 16 px without a label beside it. */
export function RowCheckbox({ label, ...input }: Omit<ComponentProps<'input'>, 'type'> & { label: string }) {
  return (
    <div className={`${inner} ${classes['checkbox']} mantine-Checkbox-root`}>
      <input type="checkbox" aria-label={label} {...input} className={box} />
      <CheckIcon className={boxIcon} />
    </div>
  )
}
