import Foundation

/// The works that are compared, each with the same result in both libraries.
protocol Library {
    /// Writes books with authors.
    func fill(_ count: Int) throws
    /// Returns the pages of the first 20 books by title.
    func sortByText() throws -> Int
    /// Deletes about half of the books by a query, and returns the number of deleted books.
    func delete() throws -> Int
    /// Returns an array of all books.
    func array() throws -> Any
    /// Returns the sum of a number of all books.
    func sumNumbers() throws -> Int
    /// Returns the sum of a number of 10,000 books that are found by an indexed text, one by one.
    func lookUp(_ count: Int) throws -> Int
    /// Returns the sum of a number of the authors of all books.
    func followLinks() throws -> Int
    /// Returns the same sum, calculated by the database.
    func sumOverLinks() throws -> Int
}

/// Returns the bytes of memory that this process occupies.
func residentBytes() -> Int {
    let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(
        separator: " ")
    return (words.map { Int($0[1]) ?? 0 } ?? 0) * 4096
}

func milliseconds(_ body: () throws -> Int) rethrows -> (time: Double, result: Int) {
    let clock = ContinuousClock()
    var result = 0
    let time = try clock.measure { result = try body() }
    return (
        Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3, result
    )
}

// usage: library firn|grdb WORK FOLDER COUNT
//
// Prints the best time of several runs of the work in milliseconds, and its result. The works are
// fill, sort, delete, array, sum, lookup, follow and bulk; array prints megabytes instead of milliseconds.
let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 4, let count = Int(words[3]) else {
    fatalError("usage: library firn|grdb WORK FOLDER COUNT")
}
let library: any Library =
    words[0] == "firn" ? try FirnLibrary(folder: words[2]) : try GRDBLibrary(folder: words[2])
var best = Double.infinity
var result = 0
switch words[1] {
case "fill":
    (best, result) = try milliseconds {
        try library.fill(count)
        return count
    }
case "delete": (best, result) = try milliseconds { try library.delete() }
case "array":
    let before = residentBytes()
    let array = try library.array()
    best = Double(residentBytes() - before) / 1e6
    result = (array as? [Any])?.count ?? 0
default:
    let works: [String: () throws -> Int] = [
        "sort": library.sortByText, "sum": library.sumNumbers, "follow": library.followLinks,
        "bulk": library.sumOverLinks, "lookup": { try library.lookUp(count) },
    ]
    guard let work = works[words[1]] else { fatalError("unknown work: \(words[1])") }
    for _ in 0..<15 {
        let run = try milliseconds(work)
        (best, result) = (min(best, run.time), run.result)
    }
}
print(String(format: "%.2f", best), result)
