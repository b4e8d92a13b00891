import Firn
import FirnTesting
import Foundation

class Bookcase: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var books: List<Novel>
    @Persisted var tags: MutableSet<String>
    @Persisted var places: Map<String, Int>
    @Persisted var label: Label?
}

class Novel: Object {
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

class ShelfProjection: Projection<Bookcase> {
    @Projected(\Bookcase.name) var caption
}

/// A private realm in memory, with a shelf of two books.
func shelfRealm() throws -> (realm: Realm, shelf: Bookcase) {
    let realm = try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: Foundation.UUID().uuidString,
            objectTypes: [Bookcase.self, Novel.self, Label.self]))
    let shelf = Bookcase(value: ["id": 1, "name": "first"])
    try realm.write {
        realm.add(shelf)
        shelf.books.append(objectsIn: [Novel("A", pages: 1), Novel("B", pages: 2)])
        shelf.label = Label(value: ["text": "old"])
        shelf.places["left"] = 1
    }
    return (realm, shelf)
}
