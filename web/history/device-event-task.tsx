/** An upgrade, or another task, in the timeline: one row that opens to its steps. */
import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { t } from '../kit/i18n.ts'
import { PageLink } from '../kit/page-link.tsx'
import { When } from '../kit/time.tsx'
import { taskLink } from '../task/task-link.ts'
import { type Event, stepText, taskTitle } from './device-event.ts'
import classes from './device-history.module.css'

export function EventTask({ event }: { event: Event }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const title = taskTitle(event)
  const Chevron = open ? IconChevronDown : IconChevronRight
  return (
    <div className={classes['task']}>
      <div className={classes['taskLine']}>
        <UnstyledButton
          className={classes['opener']}
          aria-expanded={open}
          aria-controls={id}
          aria-label={t(open ? 'device:past.hideSteps' : 'device:past.showSteps', { name: title })}
          onClick={() => setOpen(!open)}
        >
          <Chevron size={16} stroke={1.5} />
        </UnstyledButton>
        <span className={classes['taskText']}>
          <PageLink to={event.taskId === null ? null : taskLink(event.taskId)}>{title}</PageLink>{' '}
          <span>· {stepText(event, event)}</span>
        </span>
      </div>
      {open ? (
        <ol id={id} className={classes['steps']}>
          {(event.steps ?? []).map((step) => (
            <li key={`${step.at} ${step.what}`}>
              <When at={step.at} absolute />
              <span>{stepText(step, { taskKind: event.taskKind })}</span>
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  )
}
