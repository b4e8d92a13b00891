import Firn
import FirnTesting
import Foundation

class Shelf: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var books: List<Book>
    @Persisted var tags: MutableSet<String>
    @Persisted var places: Map<String, Int>
    @Persisted var label: Label?
}

class Book: Object {
    @Persisted var title = ""
    @Persisted var pages = 0

    convenience init(_ title: String, pages: Int = 0) {
        self.init()
        self.title = title
        self.pages = pages
    }
}

class Label: EmbeddedObject {
    @Persisted var text = ""
}

class ShelfProjection: Projection<Shelf> {
    @Projected(\Shelf.name) var caption
}

/// A realm in memory that nobody else has, with a shelf of two books.
func shelfRealm() throws -> (realm: Realm, shelf: Shelf) {
    let realm = try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: Foundation.UUID().uuidString,
            objectTypes: [Shelf.self, Book.self, Label.self]))
    let shelf = Shelf(value: ["id": 1, "name": "first"])
    try realm.write {
        realm.add(shelf)
        shelf.books.append(objectsIn: [Book("A", pages: 1), Book("B", pages: 2)])
        shelf.label = Label(value: ["text": "old"])
        shelf.places["left"] = 1
    }
    return (realm, shelf)
}
