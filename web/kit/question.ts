/** What is asked before something that cannot be taken back. */
import type { ReactNode } from 'react'

export type Question = {
  title: string
  text: ReactNode
  /** The verb on the button: what will happen, not "OK". */
  verb: string
  /** The other button, where "Cancel" could be taken for the verb. */
  dismiss?: string
  /** Something is lost or interrupted: the button is red. */
  danger?: boolean
  /** What must be typed first (a serial number, a count); for what cannot be undone. */
  typed?: string
}
export type Asked = { question: Question; answer: (yes: boolean) => void }
