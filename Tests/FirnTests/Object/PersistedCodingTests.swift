import Firn
import Foundation
import Testing

@Suite("Codable models")
struct PersistedCodingTests {
    @Test("A model is decoded from its encoded form")
    func roundTrip() throws {
        let book = Book()
        book.title = "Emma"
        book.year = 1815
        book.marks.append(objectsIn: [3, 4])
        book.words["a"] = 1
        book.kinds.insert(.blue)
        let data = try JSONEncoder().encode(book)
        let copy = try JSONDecoder().decode(Book.self, from: data)
        #expect(copy.title == "Emma")
        #expect(copy.year == 1815)
        #expect(Array(copy.marks) == [3, 4])
        #expect(copy.words["a"] == 1)
        #expect(copy.kinds.contains(.blue))
        #expect(copy.pages == nil)
        #expect(copy.publisher == nil)
        let realm = try makeRealm([Book.self])
        try realm.write { realm.add(copy) }
        #expect(realm.objects(Book.self).first?.title == "Emma")
    }

    @Test("A missing optional property is nil, and a missing required one is an error")
    func missingKeys() throws {
        let text = """
            {"title": "Emma", "marks": [1], "words": {}, "kinds": ["red"],
             "publisher": {"name": "Murray"}}
            """
        let book = try JSONDecoder().decode(Book.self, from: Data(text.utf8))
        #expect(book.year == nil)
        #expect(book.publisher?.name == "Murray")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Book.self, from: Data("{}".utf8))
        }
    }

    @Test("The synthesized encoding of a managed object fails")
    func managed() throws {
        let realm = try makeRealm([Book.self])
        let book = Book()
        try realm.write { realm.add(book) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(book) }
    }
}

class Book: Object, Codable {
    @Persisted var title: String
    @Persisted var year: Int?
    @Persisted var pages: Int16?
    @Persisted var marks: List<Int>
    @Persisted var words: Map<String, Int>
    @Persisted var kinds: MutableSet<Hue>
    @Persisted var publisher: Publisher?
}

class Publisher: EmbeddedObject, Codable {
    @Persisted var name: String
}

extension Hue: Codable {}
