import FirnValues
import Testing

@testable import FirnEngine
@testable import FirnFormats
@testable import FirnTools

@Suite("The report of compact")
struct CompactReportTests {
    private static let reader = ProcessDescription(
        pid: 4121, command: "firn observe app.firn", ageSeconds: 38, isStopped: false)
    private let freezes = [
        Freeze(
            name: "before-import", version: .init(40), createdSeconds: 1_000_000,
            expiresSeconds: nil, note: "")
    ]

    private func space(
        file: UInt64 = 52_428_800, held: UInt64 = 14_889_779, free: UInt64 = 1 << 20,
        _ holders: [SpaceReport.Holder]
    ) -> SpaceReport {
        SpaceReport(
            fileByteCount: file, logByteCount: 0, liveByteCount: file - held - free,
            freeByteCount: free, heldByteCount: held, holders: holders)
    }

    private func report(_ space: SpaceReport) -> CompactReport {
        CompactReport(
            file: "app.firn", version: .init(43), space: space, freezes: freezes,
            now: 1_000_000 + 3 * 86_400)
    }

    @Test("The report is text or a record")
    func report() {
        var report = report(
            space([
                .init(kind: .freeze("before-import"), byteCount: 14_000_000),
                .init(
                    kind: .reader(version: .init(41), process: CompactReportTests.reader),
                    byteCount: 800_000),
            ]))
        report.after = 9_437_184
        report.nanoseconds = 600_000_000
        #expect(report.text == "compacted app.firn: 50.0 MiB -> 9.0 MiB, 82% saved\n")
        #expect(
            report.heldText == """
                14.2 MiB held by freeze "before-import" (3 days) and \
                pid 4121 (firn observe app.firn)

                """)
        #expect(
            report.json == """
                {"v":1,"type":"compact","file":"app.firn","version":43,"skipped":false,\
                "before":52428800,"after":9437184,"saved":0.82,"kept_versions":[\
                {"version":40,"by":"freeze:before-import","bytes":14000000},\
                {"version":41,"by":"pid:4121","command":"firn observe app.firn","bytes":800000}],\
                "seconds":0.600}

                """)
    }

    @Test("The report says what was skipped, would be done, or was written to another file")
    func otherwise() {
        var skipped = report(space(held: 0, []))
        skipped.skipReason = "1.0 MiB of 50.0 MiB can be reclaimed, less than 30%"
        #expect(
            skipped.text == """
                app.firn: nothing to do, 1.0 MiB of 50.0 MiB can be reclaimed, less than 30%

                """)
        #expect(
            skipped.json.contains(
                #""skipped":true,"before":52428800,"after":52428800,"saved":0.00"#))
        #expect(skipped.heldText == nil)
        var dry = report(space(held: 0, []))
        dry.isDryRun = true
        dry.after = dry.before - dry.space.reclaimableByteCount
        #expect(dry.text == "would compact app.firn: 50.0 MiB -> 49.0 MiB, 2% saved\n")
        #expect(dry.json.contains(#""skipped":false,"dryRun":true"#))
        var copy = report(space([.init(kind: .freeze("before-import"), byteCount: 7)]))
        copy.output = "small\u{1B}.firn"
        copy.after = 1024
        #expect(
            copy.text == "compacted app.firn to small\\x1b.firn: 50.0 MiB -> 1.0 KiB, 100% saved\n")
        #expect(copy.json.contains(#""kept_versions":[]"#))
    }

    @Test("The report shows if a file that cannot shrink grows slightly")
    func grown() {
        var report = report(space(file: 20_480, held: 0, free: 0, []))
        report.after = 22_528
        #expect(report.text == "compacted app.firn: 20.0 KiB -> 22.0 KiB\n")
        #expect(report.json.contains(#""saved":-0.10"#))
    }

    @Test("Versions without a name can be reclaimed, but freezes and readers cannot")
    func reclaimable() {
        let space = space([
            .init(kind: .history, byteCount: 1000),
            .init(kind: .freeze("before-import"), byteCount: 5000),
            .init(kind: .reader(version: nil, process: nil), byteCount: 70),
        ])
        #expect(space.reclaimableByteCount == 1000 + 1 << 20)
        #expect(
            space.holders.map { $0.text(freezes, now: 0) } == [
                "the versions without a name", "freeze \"before-import\" (0 s)", "a reader",
            ])
        #expect(
            space.holders.map { $0.record(freezes).text } == [
                #"{"by":"history","bytes":1000}"#,
                #"{"version":40,"by":"freeze:before-import","bytes":5000}"#,
                #"{"by":"reader","bytes":70}"#,
            ])
    }
}
