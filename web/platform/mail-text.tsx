/**
 * A mail's text; only links into this console are clickable, so that text from devices or users cannot contain links.
 */
import { Code } from '@mantine/core'

/** Text and links alternating; a link begins with `origin` and ends at white space. */
export function partsOf(text: string, origin: string): readonly { text: string; link: boolean }[] {
  const escaped = origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text
    .split(new RegExp(`(${escaped}/\\S*)`))
    .map((part, i) => ({ text: part, link: i % 2 === 1 }))
    .filter((part) => part.text !== '')
}

export const MailText = ({ text }: { text: string }) => (
  <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {partsOf(text, location.origin).map((part, i) =>
      part.link ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
        <a key={i} href={part.text} target="_blank" rel="noreferrer">
          {part.text}
        </a>
      ) : (
        part.text
      ),
    )}
  </Code>
)
