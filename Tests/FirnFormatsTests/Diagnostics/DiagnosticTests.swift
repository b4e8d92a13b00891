import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnText
import Testing

@Suite("Errors shown to the user")
struct DiagnosticTests {
    private let text = "Person nme == \"Ann\" SORT(age DESC)"
    private var queryError: QueryError {
        QueryError(
            .unknownProperty, "no property \"nme\" in class Person", at: 7..<10,
            hint: "did you mean \"name\"?", suggestions: ["name"],
            notes: ["properties: age Int · name String"])
    }

    @Test("A query error points at the position with a caret")
    func queryHuman() {
        let diagnostic = Diagnostic(queryError, text: text, file: "app.firn")
        #expect(
            diagnostic.rendered(.human) == """
                error: no property "nme" in class Person
                  Person nme == "Ann" SORT(age DESC)
                         ^^^ did you mean "name"?
                  properties: age Int · name String

                """)
        #expect(diagnostic.status == .data)
    }

    @Test("In JSON, an error is one line with slug, status and position")
    func queryJSON() {
        let diagnostic = Diagnostic(queryError, text: text, file: "app.firn")
        #expect(
            diagnostic.rendered(.json) == """
                {"v":1,"type":"error","code":"query.unknown-property","exit":65,"retryable":false,\
                "message":"no property \\"nme\\" in class Person","at":{"line":1,"column":8,\
                "length":3},"hint":"did you mean \\"name\\"?","suggest":["name"],"file":"app.firn"}

                """)
    }

    @Test("Only a held lock and a changed version are reported as retryable")
    func retryable() {
        let error = StoreError(.lockHeld, path: "a.firn", detail: "another process is writing")
        #expect(Diagnostic(error).rendered(.json).contains(#""exit":75,"retryable":true"#))
        #expect(Slug.allCases.filter { $0.status.isRetryable } == [.lockHeld, .writeConflict])
    }

    @Test("Control characters in names never reach the terminal")
    func controls() {
        let error = InputError(.syntax, "bad", name: "a\u{1B}[2J.csv", line: 3, column: "c\n")
        let text = Diagnostic(error).rendered(.human)
        #expect(text == "error: a\\x1b[2J.csv:3, c\\n: bad\n")
    }

    @Test("Slugs are stable and unique")
    func slugs() {
        #expect(Set(Slug.allCases.map(\.rawValue)).count == Slug.allCases.count)
        #expect(Slug.diskFull.rawValue == "disk.full")
        #expect(Slug.diskFull.status == .inputOutput)
        #expect(Slug.fileMissing.status == .noInput)
        #expect(Slug.fileExists.status == .cannotCreate)
        #expect(Slug.filePermission.status == .noPermission)
        #expect(Slug.queryUnknownClass.status == .noInput)
        #expect(Slug.queryUnknownProperty.status == .data)
    }
}
