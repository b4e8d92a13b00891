import FirnValues
import Testing

@testable import FirnEngine
@testable import FirnTools

@Suite("Errors about locks and versions")
struct VersionDiagnosticTests {
    private let holder = "locked by pid 4121 (firn write app.firn feed.ndjson) for 38 s"

    @Test("A lock that is held names who holds it, and what helps")
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

    @Test("Other errors of a writing command name the file as the user did")
    func others() {
        let error = StoreError(
            .diskFull, path: "/tmp/.x.tmp", detail: "no space left", remedy: "make room")
        let diagnostic = Diagnostic(error, waited: TimeSpan(nanoseconds: 0), file: "app.firn")
        #expect(
            diagnostic.rendered(.human) == "error: app.firn: no space left\n  make room\n")
        #expect(diagnostic.status == .inputOutput)
    }

    private func versions(_ oldest: UInt64, _ newest: UInt64, _ names: [String]) -> VersionsReport {
        VersionsReport(
            newest: .init(newest), oldest: .init(oldest), historyByteCount: 0,
            freezes: names.map { name in
                .init(
                    freeze: Freeze(
                        name: name, version: .init(3), createdSeconds: 0, expiresSeconds: nil,
                        note: ""), heldByteCount: 0)
            })
    }

    @Test("A version that is gone says which can be read")
    func gone() {
        let error = StoreError(
            .versionGone, path: "a.firn", detail: "version 2 is not kept any more")
        let diagnostic = VersionFailure.diagnostic(
            error, at: .number(.init(2)), versions(12, 40, ["before-import", "z"]))
        #expect(
            diagnostic.rendered(.human) == """
                error: a.firn: version 2 is not kept any more
                  versions 12 to 40 can be read
                  freezes: before-import, z

                """)
        #expect(diagnostic.status == .unavailable)
        #expect(
            VersionFailure.diagnostic(error, at: .back(9), versions(40, 40, [])).details
                == ["only version 40 can be read"])
    }

    @Test("A freeze that is missing suggests what may have been meant")
    func missing() {
        let error = StoreError(
            .freezeMissing, path: "a.firn", detail: "there is no freeze named nihgtly")
        let diagnostic = VersionFailure.diagnostic(
            error, at: .freeze("nihgtly"), versions(1, 2, ["nightly", "weekly"]))
        #expect(diagnostic.suggestions == ["nightly"])
        #expect(diagnostic.details == ["did you mean \"nightly\"?", "freezes: nightly, weekly"])
        #expect(diagnostic.status == .noInput)
        #expect(
            VersionFailure.diagnostic(error, at: .freeze("x"), versions(1, 2, [])).details
                == ["there are no freezes"])
    }
}
