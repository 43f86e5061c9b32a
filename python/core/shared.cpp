// Forks: all filters' locks are held while the process is copied, and made anew in the child.
//
//   before              waits for changes at work (a tile of a batch, or one call), so that no filter is copied half changed
//   after, in parent    lets go
//   after, in child     other threads are gone, and with them whoever held or awaited a lock: each is made anew, each count 0
//
// The GIL is held throughout, so no filter is made or destroyed meanwhile; without a GIL the list's own lock sees to it.
#include "shared.hpp"

#include <new>

namespace seen_python {
namespace {

std::mutex list_lock;
filter_lock* first = nullptr;

}  // namespace

struct fork_handlers {
  static PyObject* before(PyObject*, PyObject*) {
    list_lock.lock();
    for (filter_lock* each = first; each != nullptr; each = each->after_) each->mutex_.lock_shared();
    Py_RETURN_NONE;
  }
  static PyObject* after_in_parent(PyObject*, PyObject*) {
    for (filter_lock* each = first; each != nullptr; each = each->after_) each->mutex_.unlock_shared();
    list_lock.unlock();
    Py_RETURN_NONE;
  }
  static PyObject* after_in_child(PyObject*, PyObject*) {
    for (filter_lock* each = first; each != nullptr; each = each->after_) {
      new (&each->mutex_) std::shared_mutex();  // what it was has threads in it that are no more
      each->users_ = 0;
      each->changers_ = 0;
      ++each->process_;
    }
    list_lock.unlock();
    Py_RETURN_NONE;
  }
};

filter_lock::filter_lock() {
  const std::lock_guard lock(list_lock);
  after_ = first;
  if (first != nullptr) first->before_ = this;
  first = this;
}

filter_lock::~filter_lock() {
  const std::lock_guard lock(list_lock);
  (before_ == nullptr ? first : before_->after_) = after_;
  if (after_ != nullptr) after_->before_ = before_;
}

void filter_lock::handle_forks() {
  const nb::object handle = nb::module_::import_("os").attr("register_at_fork");  // no Windows here
  static PyMethodDef before{"before", fork_handlers::before, METH_NOARGS, nullptr};
  static PyMethodDef in_parent{"after_in_parent", fork_handlers::after_in_parent, METH_NOARGS, nullptr};
  static PyMethodDef in_child{"after_in_child", fork_handlers::after_in_child, METH_NOARGS, nullptr};
  nb::dict handlers;
  for (PyMethodDef* each : {&before, &in_parent, &in_child}) {
    handlers[each->ml_name] = nb::steal(PyCFunction_New(each, nullptr));
  }
  handle(**handlers);
}

}  // namespace seen_python
