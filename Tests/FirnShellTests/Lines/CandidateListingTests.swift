import FirnQuery
import Testing

@testable import FirnShell

@Suite("Lists of candidates")
struct CandidateListingTests {
    @Test("Names are listed with their types, in columns to be read downwards")
    func columns() {
        let candidates = [
            Candidate("age", note: "Int"), Candidate("city", note: "String?"),
            Candidate("name", note: "String"),
        ]
        #expect(
            CandidateListing(columns: 80, rows: 24).text(candidates)
                == "age   Int       city  String?   name  String\n")
        #expect(
            CandidateListing(columns: 32, rows: 24).text(candidates)
                == "age   Int       name  String\ncity  String?\n")
        #expect(
            CandidateListing(columns: 5, rows: 24).text(candidates)
                == "age   Int\ncity  String?\nname  String\n")
        #expect(CandidateListing(columns: 80, rows: 24).text([]) == "")
    }

    @Test("A list never takes more space than the screen")
    func rows() {
        let candidates = (0..<100).map { Candidate("candidate\($0)") }
        let text = CandidateListing(columns: 40, rows: 10).text(candidates)
        #expect(text.split(separator: "\n").count == 8)
        #expect(text.hasSuffix("\u{2026} 86 more\n"), "\(text)")
    }

    @Test(
        "Characters that would move the cursor are escaped, and wide characters count twice",
        .tags(.security)
    )
    func escaping() {
        let candidates = [
            Candidate("\u{1b}[2Jx"), Candidate("日本", note: "String"), Candidate("ab"),
        ]
        #expect(
            CandidateListing(columns: 10, rows: 24).text(candidates)
                == "\\x1b[2Jx\n日本      String\nab\n")
    }
}
