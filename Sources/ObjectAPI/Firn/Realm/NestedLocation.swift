import FirnEngine
import FirnValues

/// The location of a list or dictionary inside a value of type Any.
///
/// The value may be a property or one of its elements.
///
/// It is a location and not an identity. After an earlier element is removed, a different value may
/// be at the same location.
final class NestedLocation {
    /// A step from a list or dictionary to one of its elements.
    enum Step: Hashable {
        case index(Int)
        case key(String)
    }

    let owner: ClassBinding
    let row: RowID
    let propertyIndex: Int
    /// The steps.
    ///
    /// In a property that is itself a collection, the first step leads to an element.
    let steps: [Step]

    init(_ owner: ClassBinding, _ row: RowID, _ propertyIndex: Int, _ steps: [Step]) {
        self.owner = owner
        self.row = row
        self.propertyIndex = propertyIndex
        self.steps = steps
    }

    /// Returns the location of an element of the list or dictionary at this location.
    func adding(_ step: Step) -> NestedLocation {
        NestedLocation(owner, row, propertyIndex, steps + [step])
    }

    var property: PropertySchema { owner.columns[propertyIndex] }
}
