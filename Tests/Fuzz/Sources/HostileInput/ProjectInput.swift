// SPDX-License-Identifier: MIT
import FolderModel
import ProjectDoctor
import ProjectFiles

/// Paths and contents, one after the other, separated by this byte.
private let separator: UInt8 = 0x1E

func readProject(_ bytes: [UInt8]) throws {
  let pieces = bytes.split(
    separator: separator, maxSplits: 64, omittingEmptySubsequences: false)
  var files: [String: [UInt8]] = [:]
  for index in stride(from: 0, to: pieces.count - 1, by: 2) {
    let path = String(decoding: pieces[index], as: UTF8.self)
    let isName = { (name: Substring) in !name.isEmpty && name != "." && name != ".." }
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard names.allSatisfy(isName) else { continue }
    files[path] = Array(pieces[index + 1])
  }
  try read(MemoryFolder(files))
}

private func read(_ access: MemoryFolder) throws {
  let folder = ProjectFolder(access)
  var doctor = Doctor(
    knownHosts: ["login.microsoftonline.com", "login.windows.net"],
    closedHosts: ["login.microsoftonline.de"])
  let diagnosis = doctor.diagnose(".", folder, access)
  for place in diagnosis.findings.flatMap(\.places) {
    try promise(place.fingerprint.utf8.count == 32, "a place has no fingerprint")
    guard let span = place.span, let bytes = access.files[place.file] else { continue }
    let text = FileText(bytes)
    try promise(span.start <= span.end, "a place ends before it begins")
    try promise(
      span.start.line >= 1 && span.end.line <= text.lines.count && span.start.column >= 1
        && span.end.column <= text.bytes.count + 1, "a place is beyond the file")
  }
  let baseline = Baseline(diagnosis)
  try promise(
    (try? Baseline(json: Array(baseline.json.utf8))) == baseline, "a baseline is read otherwise")
  doctor.baseline = baseline
  let again = doctor.diagnose(".", folder, access)
  try promise(again.counted.isEmpty, "a finding is not in the baseline of the same project")
  try promise(again.baselineStale == 0, "an entry of the baseline is gone from the same project")
}
