import FirnValues
import Testing

@testable import FirnEngine
@testable import FirnFormats

@Suite("Errors about locks and versions")
struct VersionDiagnosticTests {
    private let holder = "locked by pid 4121 (firn write app.firn feed.ndjson) for 38 s"

    @Test("A held lock is reported with its holder and a remedy")
    func locked() {
        let error = StoreError(.lockHeld, path: "app.firn", detail: holder, remedy: "try again")
        let waited = Diagnostic(
            error, waited: TimeSpan(nanoseconds: 5_000_000_000), file: "app.firn")
        #expect(
            waited.rendered(.human) == """
                error: cannot write app.firn: locked by pid 4121 (firn write app.firn feed.ndjson) \
                for 38 s
                  waited 5 s; use --wait 2m to wait longer, or see: firn stats app.firn --sessions

                """)
        #expect(
            waited.rendered(.json).hasPrefix(
                #"{"v":1,"type":"error","code":"lock.held","exit":75,"retryable":true,"message":"#
                    + #""cannot write app.firn: locked by pid 4121"#))
        let atOnce = Diagnostic(error, waited: TimeSpan(nanoseconds: 0), file: "app.firn")
        #expect(
            atOnce.remedy == "use --wait 2m to wait, or see: firn stats app.firn --sessions")
        let long = Diagnostic(error, waited: TimeSpan(nanoseconds: 120_000_000_000), file: "a")
        #expect(long.remedy?.hasPrefix("waited 2 min; use --wait 1h to wait longer") == true)
    }

    @Test("Other errors of a writing command name the file as the user named it")
    func others() {
        let error = StoreError(
            .diskFull, path: "/tmp/.x.tmp", detail: "no space left", remedy: "make room")
        let diagnostic = Diagnostic(error, waited: TimeSpan(nanoseconds: 0), file: "app.firn")
        #expect(
            diagnostic.rendered(.human) == "error: app.firn: no space left\n  make room\n")
        #expect(diagnostic.status == .inputOutput)
    }

    @Test("A version that is gone is reported with the readable and the named versions")
    func gone() {
        let error = StoreError(
            .versionGone, path: "a.firn",
            detail: "version 2 is not kept; versions 12 to 40 can be read")
        let diagnostic = VersionFailure.diagnostic(
            error, at: .number(.init(2)), ["before-import", "z"])
        #expect(
            diagnostic.rendered(.human) == """
                error: a.firn: version 2 is not kept; versions 12 to 40 can be read
                  freezes: before-import, z

                """)
        #expect(diagnostic.status == .unavailable)
        #expect(VersionFailure.diagnostic(error, at: .back(9), []).details.isEmpty)
    }

    @Test("A missing freeze suggests a similar name")
    func missing() {
        let error = StoreError(
            .freezeMissing, path: "a.firn", detail: "there is no freeze named \"nihgtly\"",
            remedy: "did you mean nightly?")
        let diagnostic = VersionFailure.diagnostic(
            error, at: .freeze("nihgtly"), ["nightly", "weekly"])
        #expect(
            diagnostic.rendered(.human) == """
                error: a.firn: there is no freeze named "nihgtly"
                  freezes: nightly, weekly
                  did you mean "nightly"?

                """)
        #expect(diagnostic.suggestions == ["nightly"])
        #expect(diagnostic.status == .noInput)
        let none = VersionFailure.diagnostic(error, at: .freeze("x"), [])
        #expect(none.details == ["there are no freezes"] && none.remedy == nil)
    }

    @Test("The readable versions are listed")
    func range() {
        func range(_ oldest: UInt64, _ newest: UInt64) -> String {
            VersionsReport(
                newest: .init(newest), oldest: .init(oldest), historyByteCount: 0, freezes: []
            ).range
        }
        #expect(range(12, 40) == "versions 12 to 40 can be read")
        #expect(range(40, 40) == "only version 40 can be read")
    }
}
