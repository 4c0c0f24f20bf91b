import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from '../kit.module.css'

type Props = {
  title: ReactNode
  /** Beside the title: a chip, a copyable id. */
  beside?: ReactNode
  /** A second line below. */
  line?: ReactNode
  /** At the right: one primary button, one default, a menu. */
  actions?: ReactNode
}

export function PageHeader({ title, beside, line, actions }: Props) {
  return (
    <header className={classes['header']}>
      <div style={{ minWidth: 0 }}>
        <div className={classes['headerTitle']}>
          <h1>{title}</h1>
          {beside}
        </div>
        {line ? (
          <Text component="div" c="dimmed" size="sm">
            {line}
          </Text>
        ) : null}
      </div>
      {actions ? <Group gap={8}>{actions}</Group> : null}
    </header>
  )
}
