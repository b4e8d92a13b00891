import Firn

class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age: Int?
    @Persisted var height = 1.5
    @Persisted var address: Address?
    @Persisted var friend: Person?
    @Persisted var others: List<Person>
    @Persisted var marks: List<Int>
}

class Address: EmbeddedObject {
    @Persisted var city = ""
}
