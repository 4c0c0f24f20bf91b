/** A report as a self-contained picture on white: with title, range, filters and time zone. */
import { paperInk } from '../kit/chart/ink.ts'
import type { DrawnChart } from '../kit/chart/use-chart.ts'
import { saveFile } from '../kit/transfer.ts'

const MARGIN = 24
const SCALE = 2

type ChartPage = {
  title: string
  lines: readonly string[]
  charts: readonly { title: string; chart: DrawnChart }[]
}

function load(url: string): Promise<HTMLImageElement> {
  return new Promise((done, fail) => {
    const image = new Image()
    image.onload = () => done(image)
    image.onerror = () => fail(new Error('the chart could not be drawn'))
    image.src = url
  })
}

export async function savePng({ title, lines, charts }: ChartPage, fileName: string): Promise<void> {
  const ink = paperInk()
  const pictures = await Promise.all(
    charts.map(async ({ title: heading, chart }) => ({
      heading,
      image: await load(chart.picture(SCALE)),
      width: chart.chart.getWidth(),
      height: chart.chart.getHeight(),
    })),
  )
  const width = Math.max(640, ...pictures.map((picture) => picture.width)) + 2 * MARGIN
  const head = MARGIN + 28 + lines.length * 20 + 12
  const height = pictures.reduce((sum, picture) => sum + picture.height + 36, head) + MARGIN
  const canvas = Object.assign(document.createElement('canvas'), {
    width: width * SCALE,
    height: height * SCALE,
  })
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('this browser cannot draw pictures')
  paper.scale(SCALE, SCALE)
  paper.fillStyle = '#fff'
  paper.fillRect(0, 0, width, height)
  const font = ink('--font-sans')
  const write = (text: string, y: number, size: number, weight: number, color: string) => {
    paper.font = `${weight} ${size}px ${font}`
    paper.fillStyle = ink(color)
    paper.fillText(text, MARGIN, y, width - 2 * MARGIN)
  }
  write(title, MARGIN + 20, 20, 600, '--text-1')
  lines.forEach((line, i) => {
    write(line, MARGIN + 46 + i * 20, 13, 400, '--text-2')
  })
  let top = head
  for (const { heading, image, width: wide, height: high } of pictures) {
    write(heading, top + 18, 14, 600, '--text-1')
    paper.drawImage(image, MARGIN, top + 28, wide, high)
    top += high + 36
  }
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('this browser cannot save pictures')
  saveFile(blob, fileName)
}
