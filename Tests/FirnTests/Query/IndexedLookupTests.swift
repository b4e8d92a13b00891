import Firn
import Foundation
import Testing

/// A book that is found by its title and its shelf.
final class ShelvedBook: Object {
    @Persisted(indexed: true) var title: String
    @Persisted(indexed: true) var shelf: Int?
    @Persisted var note: String
}

@Suite("Lookups of single objects in indexes")
struct IndexedLookupTests {
    private let test = TestRealm([ShelvedBook.self])

    @Test("The first object with a value is found, even among uncommitted changes")
    func first() throws {
        let realm = try test.open()
        try realm.write {
            for number in 0..<500 {
                realm.add(ShelvedBook(value: ["title \(number / 2)", number % 7, "n\(number)"]))
            }
        }
        func note(_ title: String) -> String? {
            realm.objects(ShelvedBook.self).where { $0.title == title }.first?.note
        }
        #expect(note("title 7") == "n14" && note("none") == nil && note("") == nil)
        try realm.write {
            let book = try #require(
                realm.objects(ShelvedBook.self).where { $0.title == "title 7" }.first)
            book.title = "moved"
            #expect(note("title 7") == "n15" && note("moved") == "n14")
            realm.delete(book)
            #expect(note("moved") == nil)
            realm.add(ShelvedBook(value: ["late", nil, "added"]))
            #expect(note("late") == "added")
        }
        #expect(note("title 7") == "n15" && note("late") == "added")
        let none = realm.objects(ShelvedBook.self).where { $0.shelf == nil }
        #expect(none.first?.note == "added" && none.count == 1)
        // A composed and a decomposed letter are different texts.
        try realm.write { realm.add(ShelvedBook(value: ["caf\u{e9}", 1, "composed"])) }
        #expect(note("caf\u{e9}") == "composed" && note("cafe\u{301}") == nil)
    }

    @Test("index(of:) in index order returns the position in the list of all objects")
    func position() throws {
        let realm = try test.open()
        try realm.write {
            for number in 0..<300 {
                let shelf: Any? = number % 11 == 0 ? nil : number * 7 % 40
                realm.add(ShelvedBook(value: ["t\(number % 90)", shelf, "n\(number)"]))
            }
        }
        let books = Array(realm.objects(ShelvedBook.self))
        for (path, ascending) in [
            ("shelf", true), ("shelf", false), ("title", true), ("title", false), ("note", true),
        ] {
            for index in stride(from: 0, to: books.count, by: 23) {
                let sorted = realm.objects(ShelvedBook.self)
                    .sorted(byKeyPath: path, ascending: ascending)
                let position = try #require(sorted.index(of: books[index]))
                #expect(sorted[position].isSameObject(as: books[index]), "\(path) \(index)")
            }
        }
        let sorted = realm.objects(ShelvedBook.self).sorted(byKeyPath: "shelf")
        #expect(sorted.index(of: ShelvedBook(value: ["t1", 7, "n1"])) == nil)
        try realm.write { realm.delete(books[3]) }
        #expect(sorted.index(of: books[3]) == nil)
    }
}
