import FirnEngine
import FirnValues

/// Where a list or dictionary is inside of a property of type Any, or of one of its elements.
///
/// A place, and not what was there once: after an element in front of it was removed, another value
/// may be at the same place.
final class NestedPlace {
    /// From a list or dictionary to what is in it.
    enum Step: Hashable {
        case index(Int)
        case key(String)
    }

    let owner: ClassBinding
    let row: RowID
    let place: Int
    /// Of a property that is a collection itself, the first leads to one of its elements.
    let steps: [Step]

    init(_ owner: ClassBinding, _ row: RowID, _ place: Int, _ steps: [Step]) {
        self.owner = owner
        self.row = row
        self.place = place
        self.steps = steps
    }

    /// The place of what a list or dictionary at this place has in it.
    func adding(_ step: Step) -> NestedPlace { NestedPlace(owner, row, place, steps + [step]) }

    var property: PropertySchema { owner.columns[place] }
}
